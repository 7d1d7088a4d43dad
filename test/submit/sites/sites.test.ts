import { describe, expect, it } from 'vitest'
import { Secret } from '../../../src/core/secret.ts'
import { clearAlertsOf } from '../../../src/submit/alerts/observe.ts'
import { siteOf } from '../../../src/submit/sealed-settings.ts'
import {
  changeSite,
  removeSite,
  shownSite,
  siteFromEnvironment,
} from '../../../src/submit/sites.ts'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, DEFAULTS, KEY, made, openSites, run, sealer, WEBHOOK } from './support.ts'

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
