import { describe, expect, it } from 'vitest'
import { systemRandom } from '../../../src/core/random.ts'
import { openSealer } from '../../../src/core/seal.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { SiteStore } from '../../../src/stores/site-store.ts'
import { changeSite, getSite, listSites, removeSite, shownSite } from '../../../src/submit/sites.ts'
import { scenario } from '../../support/scenario.ts'
import { BING_KEY, DEFAULTS, KEY, made, openSites, run, WEBHOOK } from './support.ts'

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
