import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../../src/core/random.ts'
import { openSealer } from '../../../src/core/seal.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { SiteStore } from '../../../src/stores/site-store.ts'
import { clearAlertsOf } from '../../../src/submit/alerts/observe.ts'
import { siteOf } from '../../../src/submit/sealed-settings.ts'
import {
  changeSite,
  createSite,
  getSite,
  listSites,
  removeSite,
  shownSite,
  siteFromEnvironment,
  type SitesOptions,
} from '../../../src/submit/sites.ts'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, DEFAULTS, KEY, MINIMAL, openSites, sealer, WEBHOOK } from './support.ts'

async function made(options: SitesOptions, given: object = {}) {
  const created = await createSite(options, { ...MINIMAL, ...given })
  if (!created.ok) throw new Error(JSON.stringify(created.failure))
  return created.value
}

async function run(options: SitesOptions, id = 'example.com') {
  const site = await getSite(options, id)
  if (!site.ok) throw new Error(JSON.stringify(site.failure))
  return site.value
}

describe('a site', () => {
  scenario('R01', 'a site needs a sitemap and a key; all else has its default', async () => {
    const { options } = await openSites()

    await made(options)

    const { apiKey, ...site } = await run(options)
    expect(apiKey.reveal()).toBe(KEY)
    expect(site).toEqual({
      id: 'example.com',
      name: 'example.com',
      enabled: true,
      host: 'example.com',
      sitemapUrl: 'https://example.com/sitemap.xml',
      sitemapUrls: [],
      backupSitemapUrl: undefined,
      allowedSitemapHosts: [],
      keyLocation: `https://example.com/${KEY}.txt`,
      searchEngines: ['https://api.indexnow.org/indexnow'],
      submitMode: 'auto',
      maxConcurrentRequests: 3,
      requestIntervalMs: 100,
      maxRetries: 3,
      cacheTtlDays: 30,
      firstRun: 'submit',
      submitDeleted: false,
      webhookUrl: undefined,
      bing: undefined,
    })
  })

  it('follows the server where it says nothing of its own', async () => {
    const { options } = await openSites()
    await made(options, { maxRetries: 1 })
    const defaults = { ...DEFAULTS, maxRetries: 7, cacheTtlDays: 7 }
    expect(await run({ ...options, defaults })).toMatchObject({ maxRetries: 1, cacheTtlDays: 7 })
  })

  it('keeps its port, and its key where it is served without TLS', async () => {
    const { options } = await openSites()
    await made(options, { sitemapUrl: 'http://127.0.0.1:8099/map.xml' })
    await made(options, { sitemapUrl: 'http://[::1]:8099/' })
    expect(await run(options, '127.0.0.1:8099')).toMatchObject({
      host: '127.0.0.1:8099',
      keyLocation: `http://127.0.0.1:8099/${KEY}.txt`,
    })
    expect(await run(options, '::1:8099')).toMatchObject({ host: '[::1]:8099' })
  })

  scenario(
    'B08',
    'Bing is on only where it is enabled, with a quota of 100, newest first',
    async () => {
      const { options } = await openSites()
      await made(options, { bingApiKey: BING_KEY })
      expect((await run(options)).bing).toBeUndefined()

      await changeSite(options, 'example.com', { bingEnabled: true })

      const { bing } = await run(options)
      expect(bing).toMatchObject({ dailyQuota: 100, priority: 'newest' })
      expect(bing?.apiKey.reveal()).toBe(BING_KEY)
    },
  )

  scenario('C07', 'no secret of a site is stored as it is, nor opens at another site', async () => {
    const { options, stores } = await openSites()
    const given = {
      bingApiKey: BING_KEY,
      webhookUrl: WEBHOOK,
      keyLocation: `https://example.com/a/${KEY}.txt`,
    }

    const record = await made(options, given)

    const stored = JSON.stringify(await stores.sites.get('example.com'))
    for (const secret of [KEY, BING_KEY, 'XXXXXXXX']) expect(stored).not.toContain(secret)
    expect(await siteOf({ ...record, id: 'other.example' }, sealer, DEFAULTS)).toMatchObject({
      ok: false,
      failure: { kind: 'secret-does-not-open', id: 'other.example', field: 'apiKey' },
    })
    expect((await run(options)).keyLocation).toBe(`https://example.com/a/${KEY}.txt`)
  })

  scenario('R01', 'a site is shown with every field and no secret', async () => {
    const { options } = await openSites()
    const record = await made(options, { bingApiKey: BING_KEY, webhookUrl: WEBHOOK })

    const shown = shownSite(record, DEFAULTS)

    expect(shown).toEqual({
      id: 'example.com',
      name: 'example.com',
      enabled: true,
      host: 'example.com',
      sitemapUrl: 'https://example.com/sitemap.xml',
      sitemapUrls: [],
      backupSitemapUrl: null,
      allowedSitemapHosts: [],
      apiKey: '****',
      keyLocation: 'https://example.com/****.txt',
      searchEngines: ['https://api.indexnow.org/indexnow'],
      submitMode: 'auto',
      maxConcurrentRequests: 3,
      requestIntervalMs: 100,
      maxRetries: 3,
      cacheTtlDays: 30,
      firstRun: 'submit',
      submitDeleted: false,
      webhookUrl: '****',
      bingEnabled: false,
      bingApiKey: '****',
      bingDailyQuota: 100,
      bingPriority: 'newest',
      createdAt: '2025-01-15T00:00:00.000Z',
      updatedAt: '2025-01-15T00:00:00.000Z',
    })
  })
})

describe('a change', () => {
  scenario('R01', 'given fields replace, null clears, the others stay', async () => {
    const { options } = await openSites()
    await made(options, { name: 'Shop', maxRetries: 1, webhookUrl: WEBHOOK })

    const changed = await changeSite(options, 'example.com', {
      name: null,
      webhookUrl: null,
      cacheTtlDays: 7,
    })

    expect(changed.ok).toBe(true)
    expect(await run(options)).toMatchObject({
      name: 'example.com',
      webhookUrl: undefined,
      cacheTtlDays: 7,
      maxRetries: 1,
    })
  })

  scenario('R01', 'what was shown can be sent back, and changes nothing', async () => {
    const { options, clock } = await openSites()
    const record = await made(options, {
      bingEnabled: true,
      bingApiKey: BING_KEY,
      webhookUrl: WEBHOOK,
    })
    const before = await run(options)
    clock.advance(60_000)

    const shown = shownSite(record, DEFAULTS)
    const first = await changeSite(options, 'example.com', shown)
    const again = await changeSite(options, 'example.com', shown)

    expect(first.ok && again.ok && again.value.version).toBe(first.ok && first.value.version)
    const after = await run(options)
    expect(JSON.stringify(after)).toBe(JSON.stringify(before))
    expect(after.apiKey.reveal()).toBe(KEY)
    expect(after.bing?.apiKey.reveal()).toBe(BING_KEY)
    expect(after.webhookUrl?.reveal()).toBe(WEBHOOK)
    expect(after.keyLocation).toBe(before.keyLocation)
  })

  it('of the key takes the key file along', async () => {
    const { options } = await openSites()
    await made(options, { keyLocation: `https://example.com/a/${KEY}.txt` })
    await changeSite(options, 'example.com', { apiKey: 'new-key-0123456789' })
    expect((await run(options)).keyLocation).toBe('https://example.com/a/new-key-0123456789.txt')
  })

  it('is refused where the whole would be wrong, and then changes nothing', async () => {
    const { options } = await openSites()
    await made(options)
    const refusals: [object, RegExp][] = [
      [{ bingEnabled: true }, /^bingApiKey is required when bingEnabled is true$/],
      [{ bingApiKey: '****', bingEnabled: true }, /^bingApiKey is not usable/],
      [{ sitemapUrl: null }, /^sitemapUrl is missing/],
      [{ apiKey: null }, /^apiKey is missing/],
      [{ keyLocation: 'https://cdn.example/k.txt' }, /^keyLocation is not on example.com/],
      [{ id: 'other' }, /^The id of example.com cannot be changed/],
      [{ host: 'other' }, /^"host" is not a field/],
      [{ enabld: false }, /Did you mean enabled/],
      [[], /should be a JSON object/],
    ]
    for (const [given, message] of refusals) {
      const changed = await changeSite(options, 'example.com', given)
      const failure = changed.ok ? undefined : changed.failure
      expect(failure?.kind === 'invalid-settings' && failure.problems.join(' ')).toMatch(message)
    }
    expect((await options.sites.get('example.com'))?.version).toBe(1)
  })

  it('of a site that is not there is told so', async () => {
    const { options } = await openSites()
    const missing = { ok: false, failure: { kind: 'site-missing', id: 'x' } }
    expect(await changeSite(options, 'x', { name: 'y' })).toEqual(missing)
    expect(await removeSite(options, 'x')).toEqual(missing)
    expect(await getSite(options, 'x')).toEqual(missing)
  })

  it('loses no change that somebody else makes at the same time', async () => {
    const { options, another } = await openSites()
    await made(options)
    const others = { ...options, sites: (await another()).sites }
    // Between our reading and our writing somebody else writes: every time, but only three times.
    let interruptions = 3
    const interrupted: SiteStore = {
      ...options.sites,
      async replace(read, settings) {
        if (interruptions-- > 0)
          await changeSite(others, 'example.com', { maxRetries: interruptions + 1 })
        return options.sites.replace(read, settings)
      },
    }

    const changed = await changeSite({ ...options, sites: interrupted }, 'example.com', {
      name: 'Ours',
    })

    expect(changed.ok).toBe(true)
    expect(await run(options)).toMatchObject({ name: 'Ours', maxRetries: 1 })
  })

  it('gives up when it never gets through', async () => {
    const { options } = await openSites()
    await made(options)
    const busy: SiteStore = {
      ...options.sites,
      replace: async ({ id }) => ({ ok: false, failure: { kind: 'site-changed', id } }),
    }
    expect(await changeSite({ ...options, sites: busy }, 'example.com', { name: 'x' })).toEqual({
      ok: false,
      failure: { kind: 'site-changed', id: 'example.com' },
    })
  })
})

describe('a lost master key', () => {
  it('hides no site, and is put right by setting the secrets again', async () => {
    const { options } = await openSites()
    await made(options, { id: 'lost', bingApiKey: BING_KEY })
    const masterKey = new Secret('another-master-key-entirely')
    const later = {
      ...options,
      sealer: openSealer({ keyId: 'k2', masterKey, random: systemRandom }),
    }
    await made(later, { id: 'fine' })

    const [fine, lost] = await listSites(later)
    expect(fine?.ok).toBe(true)
    expect(lost).toMatchObject({
      ok: false,
      failure: { field: 'apiKey', why: { kind: 'unknown-key', keyId: 'k1' } },
    })

    await changeSite(later, 'lost', { apiKey: 'new-key-0123456789' })
    expect(await getSite(later, 'lost')).toMatchObject({ failure: { field: 'bingApiKey' } })
    await changeSite(later, 'lost', { bingApiKey: null })
    expect((await run(later, 'lost')).apiKey.reveal()).toBe('new-key-0123456789')
  })

  it('and settings that nobody can read are told apart', async () => {
    const { options, stores } = await openSites()
    await stores.sites.create('broken', { sitemapUrl: 7 })
    await stores.sites.create('list', [])
    for (const id of ['broken', 'list']) {
      const record = await stores.sites.get(id)
      expect(record && shownSite(record, DEFAULTS)).toMatchObject({ id, apiKey: null })
      expect(await getSite(options, id)).toMatchObject({ failure: { kind: 'settings-unreadable' } })
    }
  })
})

describe('removal', () => {
  it('ends the alerts of the site', async () => {
    const { options, stores, clock } = await openSites()
    const record = await made(options)
    const key = `failed-urls:${record.id}`
    const wrong = { title: 't', cause: 'c', advice: 'a' }
    await stores.alerts.move(
      key,
      () => ({
        state: { key, severity: 'P1', status: 'firing', since: 0, notifications: 1, ...wrong },
        notice: 'raised',
      }),
      clock.now(),
    )

    expect((await removeSite(options, record.id)).ok).toBe(true)

    expect(await stores.sites.list()).toEqual([])
    expect(await stores.alerts.list()).toMatchObject([{ key, status: 'resolved' }])
    await clearAlertsOf(stores.alerts, record.id, clock.now())
    expect(await stores.alerts.messages(9)).toHaveLength(2)
  })
})

describe('the environment', () => {
  const variables = {
    sitemapUrl: 'https://example.com/sitemap.xml',
    siteHost: undefined,
    indexnowApiKey: new Secret(KEY),
    indexnowSearchEngines: ['api.indexnow.org', 'www.bing.com/indexnow'],
  }

  scenario('R01', 'the site of the environment is there from the start', async () => {
    const { options } = await openSites()

    await siteFromEnvironment(options, variables)

    const site = await run(options)
    expect(site).toMatchObject({
      id: 'example.com',
      host: 'example.com',
      searchEngines: ['https://api.indexnow.org/indexnow', 'https://www.bing.com/indexnow'],
    })
    expect(site.apiKey.reveal()).toBe(KEY)
  })

  scenario('R01', 'at the next start it is brought up to date, and nothing else', async () => {
    const { options } = await openSites()
    await siteFromEnvironment(options, variables)
    await changeSite(options, 'example.com', { name: 'Shop', maxRetries: 1 })

    const same = await siteFromEnvironment(options, variables)
    const changed = await siteFromEnvironment(options, {
      ...variables,
      indexnowApiKey: new Secret('new-key-0123456789'),
      indexnowSearchEngines: undefined,
    })

    expect(same).toMatchObject({ ok: true, value: { version: 2 } })
    expect(changed).toMatchObject({ ok: true, value: { version: 3 } })
    const site = await run(options)
    expect(site).toMatchObject({ name: 'Shop', maxRetries: 1 })
    expect(site.searchEngines).toHaveLength(2)
    expect(site.apiKey.reveal()).toBe('new-key-0123456789')
  })

  it('may name a host apart from its sitemap', async () => {
    const { options } = await openSites()
    await siteFromEnvironment(options, {
      ...variables,
      sitemapUrl: 'https://cdn.example/maps/1.xml',
      siteHost: 'example.com',
    })
    expect(await run(options)).toMatchObject({
      host: 'example.com',
      keyLocation: `https://example.com/${KEY}.txt`,
      allowedSitemapHosts: ['cdn.example'],
    })

    await siteFromEnvironment(options, { ...variables, siteHost: 'example.com' })
    expect(await run(options)).toMatchObject({ host: 'example.com', allowedSitemapHosts: [] })
  })

  it('may name the host without the port that the sitemap has', async () => {
    const { options } = await openSites()
    await siteFromEnvironment(options, {
      ...variables,
      sitemapUrl: 'http://127.0.0.1:8099/sitemap.xml',
      siteHost: '127.0.0.1',
    })
    expect(await run(options, '127.0.0.1')).toMatchObject({ host: '127.0.0.1:8099' })
  })

  it('may name no site', async () => {
    const { options } = await openSites()
    const none = { ...variables, sitemapUrl: undefined }
    expect(await siteFromEnvironment(options, none)).toEqual({ ok: true, value: undefined })
    expect(await options.sites.list()).toEqual([])
  })
})
