import { describe, expect, onTestFinished } from 'vitest'
import { days, minutes, seconds } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import {
  type Bing,
  bingError,
  type BingOptions,
  openBing as openStandIn,
} from '../support/stand-ins/bing.ts'
import { limitsRate } from '../support/stand-ins/indexnow-engine.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World, type WorldOptions } from '../support/world.ts'

/** Must never be seen anywhere but in a request to Bing. */
const BING_KEY = 'c4n4ry0f4p1k3y5a1b2c3d4e5f6a7b8c9'
const WITH_BING = { bingEnabled: true, bingApiKey: BING_KEY }

interface BingWorldOptions extends WorldOptions {
  readonly bing?: Partial<BingOptions>
  readonly dailyQuota?: number
}

async function openBingWorld({ bing, dailyQuota = 500, ...options }: BingWorldOptions = {}) {
  const world = await openWorld(options)
  const { clock, site } = world
  const standIn = await openStandIn({
    clock,
    apiKey: BING_KEY,
    sites: [{ url: site.origin, dailyQuota }],
    ...bing,
  })
  onTestFinished(() => standIn.close())
  await world.restart({ BING_API_URL: standIn.apiUrl })
  return { world, bing: standIn }
}

const bingStatus = async ({ api }: World) => (await api('GET', '/status')).body['bing']

const pathsAt = ({ accepted }: Bing) => accepted.map(({ url }) => new URL(url).pathname)

const batchesAt = ({ requests }: Bing) =>
  requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { siteUrl: string; urlList: string[] })

const messagesOf = ({ logs }: World) => logs.map(({ msg }) => msg)

const EXHAUSTED = 'Bing quota exhausted, skipping'

describe('what is sent to Bing', () => {
  scenario('B01', '150 URLs are two requests, and 150 of the quota', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(150)) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 150 })

    const run = await world.run()

    expect(batchesAt(bing).map(({ siteUrl, urlList }) => [siteUrl, urlList.length])).toEqual([
      [world.site.origin, 100],
      [world.site.origin, 50],
    ])
    expect(run).toMatchObject({ status: 'succeeded', submitted: 150 })
    expect(run.bing).toEqual({
      total: 150,
      successful: 150,
      failed: 0,
      quotaUsed: 150,
      quotaRemaining: 0,
    })
    expect(bing.complaints).toEqual([])
  })

  scenario('R05', '/status and the daily numbers have the shapes of the seed', async () => {
    const { world } = await openBingWorld({ start: '2025-01-15T10:30:00Z' })
    world.site.put({ '/sitemap.xml': sitemapOf(paths(85)) })
    await world.addSite({ ...WITH_BING, requestIntervalMs: 0 })

    const before = await bingStatus(world)
    await world.run()

    expect(before).toEqual({
      enabled: true,
      todayQuotaUsed: 0,
      todayQuotaRemaining: 100,
      lastSubmission: null,
    })
    expect(await bingStatus(world)).toEqual({
      enabled: true,
      todayQuotaUsed: 85,
      todayQuotaRemaining: 15,
      lastSubmission: '2025-01-15T10:30:00.000Z',
    })
    const { body } = await world.api('GET', '/api/stats/daily?days=1')
    expect(body['daily']).toEqual([
      {
        date: '2025-01-15',
        indexnow: { total: 85, successful: 85 },
        bing: { total: 85, successful: 85 },
      },
    ])
  })

  scenario('R05', '/status tells of the day it is asked on', async () => {
    const { world } = await openBingWorld({ start: '2025-01-15T23:59:00Z' })
    world.site.put({ '/sitemap.xml': sitemapOf(paths(85)) })
    await world.addSite({ ...WITH_BING, requestIntervalMs: 0 })
    await world.run()
    const before = await bingStatus(world)

    world.clock.advanceTo('2025-01-16T00:00:00Z')

    expect(before).toMatchObject({ todayQuotaUsed: 85, todayQuotaRemaining: 15 })
    expect(await bingStatus(world)).toMatchObject({ todayQuotaUsed: 0, todayQuotaRemaining: 100 })
  })

  scenario('B05', 'a URL that one channel has is still new to the other', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
    await world.addSite(WITH_BING)

    const first = await world.run('channel=indexnow')
    const second = await world.run('channel=bing')
    const third = await world.run()

    expect(first).toMatchObject({ new: 5, submitted: 5 })
    expect(first.bing).toBeUndefined()
    expect(second).toMatchObject({ new: 5, engines: [], bing: { total: 5, successful: 5 } })
    expect(third).toMatchObject({ new: 0, cached: 5, bing: { total: 0, quotaUsed: 5 } })
    expect(world.engine.received.size).toBe(5)
    expect(bing.accepted).toHaveLength(5)
  })

  scenario('B05', 'a page that changes is new to both', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-10'], '/b']) })
    await world.addSite(WITH_BING)
    await world.run()

    world.clock.advance(days(1))
    world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-16'], '/b']) })
    const run = await world.run()

    expect(run).toMatchObject({ new: 1, submitted: 1, bing: { total: 1, successful: 1 } })
    expect(pathsAt(bing)).toEqual(['/a', '/b', '/a'])
  })
})

describe('the quota of a day', () => {
  scenario('B04', 'used up: the rest waits for the next day, unchanged files or not', async () => {
    const { world, bing } = await openBingWorld({ dailyQuota: 100 })
    world.site.put({
      '/sitemap.xml': { body: sitemapOf(paths(130)), headers: { etag: '"one"' } },
    })
    await world.addSite(WITH_BING)

    const today = await world.run()
    const again = await world.run()
    world.clock.advanceTo('2025-01-16T00:00:00Z')
    const tomorrow = await world.run()

    expect(today).toMatchObject({
      status: 'succeeded',
      submitted: 130,
      bing: { total: 130, successful: 100, failed: 0, quotaUsed: 100, quotaRemaining: 0 },
    })
    expect(again).toMatchObject({ status: 'succeeded', bing: { successful: 0, quotaUsed: 100 } })
    expect(messagesOf(world).filter((msg) => msg === EXHAUSTED)).toHaveLength(1)
    expect(tomorrow).toMatchObject({
      submitted: 0,
      bing: { total: 30, successful: 30, quotaUsed: 30, quotaRemaining: 70 },
    })
    expect(new Set(pathsAt(bing))).toEqual(new Set(paths(130)))
    expect(bing.accepted).toHaveLength(130)
    expect(bing.overQuota).toEqual([])
  })

  scenario('B04', 'used up before the run: skipped in words, IndexNow untouched', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 10 })
    await world.run()
    const asked = bing.requests.length

    world.site.put({ '/sitemap.xml': sitemapOf(paths(30)) })
    const run = await world.run()

    expect(run).toMatchObject({ status: 'succeeded', new: 20, submitted: 20, errors: [] })
    expect(run.bing).toMatchObject({ total: 20, successful: 0, failed: 0, quotaRemaining: 0 })
    expect(messagesOf(world)).toContain(EXHAUSTED)
    expect(bing.requests).toHaveLength(asked)
  })

  scenario('B04', 'Bing says the day is full: nothing failed, nothing more is asked', async () => {
    const { world, bing } = await openBingWorld({ dailyQuota: 100 })
    bing.spendElsewhere(world.site.origin, 100)
    world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
    await world.addSite(WITH_BING)

    const run = await world.run()
    const asked = bing.requests.length
    await world.run()

    expect(run).toMatchObject({ status: 'succeeded', submitted: 10, errors: [] })
    expect(run.bing).toMatchObject({ total: 10, failed: 0, quotaUsed: 0, quotaRemaining: 0 })
    expect(await bingStatus(world)).toMatchObject({ todayQuotaUsed: 0, todayQuotaRemaining: 0 })
    expect(bing.requests).toHaveLength(asked)
  })

  scenario('B04', 'a run past midnight spends the day it began', async () => {
    const { world, bing } = await openBingWorld({
      start: '2025-01-15T12:00:00Z',
      env: { RUN_BUDGET_MS: String(minutes(20)) },
    })
    const { clock, engine, site, stores } = world
    site.put({ '/sitemap.xml': sitemapOf(paths(90)) })
    const id = await world.addSite({ ...WITH_BING, submitMode: 'post' })
    await world.run()

    clock.advanceTo('2025-01-15T23:58:00Z')
    site.put({ '/sitemap.xml': sitemapOf(paths(120)) })
    engine.script(limitsRate('300'))
    const run = await world.run()

    expect(run.finishedAt).toMatch(/^2025-01-16T00:03/)
    expect(run.bing).toMatchObject({ total: 30, successful: 10, quotaUsed: 100 })
    const use = (day: string) =>
      stores.quota.use({ channel: 'bing', siteId: id, day: day as never })
    expect(await use('2025-01-15')).toMatchObject({ used: 100 })
    expect(await use('2025-01-16')).toMatchObject({ used: 0 })
    expect(await bingStatus(world)).toMatchObject({ todayQuotaUsed: 0, todayQuotaRemaining: 100 })
    expect(bing.accepted).toHaveLength(100)
  })

  scenario('B08', '"auto" asks Bing for its quota', async () => {
    const { world, bing } = await openBingWorld({ dailyQuota: 30 })
    bing.spendElsewhere(world.site.origin, 5)
    world.site.put({ '/sitemap.xml': sitemapOf(paths(40)) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 'auto' })

    const before = await bingStatus(world)
    const run = await world.run()

    expect(before).toMatchObject({ todayQuotaUsed: 0, todayQuotaRemaining: null })
    expect(run).toMatchObject({
      status: 'succeeded',
      bing: { total: 40, successful: 25, failed: 0, quotaUsed: 25, quotaRemaining: 0 },
    })
    expect(await bingStatus(world)).toMatchObject({ todayQuotaUsed: 25, todayQuotaRemaining: 0 })
    expect(bing.overQuota).toEqual([])
  })
})

describe('which URLs, when the quota does not reach for all', () => {
  const dated = (count: number) =>
    Array.from({ length: count }, (_, n) => {
      // In no order: the newest are anywhere in the file.
      const day = (n * 37) % count
      return [`/p/${n}`, new Date(days(18_000 + day)).toISOString()] as const
    })

  scenario('B06', 'newest: the 50 newest of 200, newest first', async () => {
    const { world, bing } = await openBingWorld()
    const pages = dated(200)
    world.site.put({ '/sitemap.xml': sitemapOf(pages) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 50, bingPriority: 'newest' })

    await world.run()

    const newest = pages.toSorted(([, a], [, b]) => b.localeCompare(a)).slice(0, 50)
    expect(pathsAt(bing)).toEqual(newest.map(([path]) => path))
  })

  scenario('B06', 'newest: 30 with a lastmod first, then 20 of the others by chance', async () => {
    const { world, bing } = await openBingWorld()
    const pages = [...paths(70, 100), ...dated(30)]
    world.site.put({ '/sitemap.xml': sitemapOf(pages) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 50 })

    await world.run()

    const sent = pathsAt(bing)
    expect(new Set(sent.slice(0, 30))).toEqual(new Set(paths(30)))
    expect(sent).toHaveLength(50)
    expect(paths(70, 100)).toEqual(expect.arrayContaining(sent.slice(30)))
    expect(sent.slice(30)).not.toEqual(paths(20, 100))
  })

  scenario('B06', 'random: 50 of 200, neither the first nor the newest', async () => {
    const { world, bing } = await openBingWorld()
    const pages = dated(200)
    world.site.put({ '/sitemap.xml': sitemapOf(pages) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 50, bingPriority: 'random' })

    await world.run()

    const newest = pages.toSorted(([, a], [, b]) => b.localeCompare(a)).slice(0, 50)
    const sent = new Set(pathsAt(bing))
    const sentOf = (some: readonly string[]) => some.filter((path) => sent.has(path))
    expect(sent.size).toBe(50)
    expect(sentOf(newest.map(([path]) => path)).length).toBeLessThan(40)
    expect(sentOf(paths(50)).length).toBeLessThan(40)
  })

  scenario('B06', 'what Bing has is left out before the choice is made', async () => {
    const { world, bing } = await openBingWorld()
    const pages = dated(120)
    world.site.put({ '/sitemap.xml': sitemapOf(pages) })
    await world.addSite({ ...WITH_BING, bingDailyQuota: 50 })

    for (let day = 0; day < 3; day++) {
      await world.run()
      world.clock.advance(days(1))
    }

    const newestFirst = pages.toSorted(([, a], [, b]) => b.localeCompare(a))
    expect(pathsAt(bing)).toEqual(newestFirst.map(([path]) => path))
  })
})

describe('when Bing fails', () => {
  scenario('B07', "IndexNow's results stay, and the run says that Bing failed", async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
    await world.addSite({ ...WITH_BING, maxRetries: 1 })
    bing.script(answers(500), answers(500))

    const run = await world.run()
    const next = await world.run()

    expect(run).toMatchObject({ status: 'partial', submitted: 5, failed: 0 })
    expect(run.engines).toMatchObject([{ total: 5, successful: 5, failed: 0 }])
    expect(run.bing).toMatchObject({ total: 5, successful: 0, failed: 5 })
    expect(run.bing?.error).toContain('500')
    expect(run.errors).toEqual([run.bing?.error])
    expect(messagesOf(world)).toContain('retry 1/1')
    // Nobody knows whether it was counted, so it stays spent; the URLs are still due.
    expect(next).toMatchObject({
      status: 'succeeded',
      submitted: 0,
      bing: { total: 5, successful: 5, quotaUsed: 10 },
    })
    expect(world.engine.received.size).toBe(5)
  })

  scenario(
    'B02',
    'what is refused is logged in Bing’s words, not counted, not remembered',
    async () => {
      const { world, bing } = await openBingWorld()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
      await world.addSite(WITH_BING)
      bing.script(bingError(8, 'ERROR!!! InvalidParameter'))

      const run = await world.run()
      const next = await world.run()

      expect(run.bing).toMatchObject({ successful: 0, failed: 5, quotaUsed: 0 })
      const line = world.logs.find(({ event }) => event === 'bing.failed')
      expect(line).toMatchObject({ errorCode: '8', message: 'ERROR!!! InvalidParameter' })
      expect(next.bing).toMatchObject({ successful: 5, quotaUsed: 5 })
    },
  )

  scenario('B03', 'a bad key switches Bing off until the key changes, and Bing alone', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
    const id = await world.addSite({ ...WITH_BING, bingApiKey: 'wrong-key-0123456789' })

    const refused = await world.run()
    const asked = bing.requests.length
    world.clock.advance(days(1))
    const held = await world.run()
    await world.run('channel=indexnow')
    const told = await bingStatus(world)
    await world.api('PUT', `/api/sites/${id}`, { bingApiKey: BING_KEY })
    const mended = await world.run()

    expect(refused).toMatchObject({ status: 'partial', submitted: 5, bing: { failed: 5 } })
    expect(refused.bing?.error).toMatch(/InvalidApiKey.*key is not valid/)
    expect(asked).toBe(1)
    expect(held).toMatchObject({ status: 'partial', bing: { total: 5, successful: 0, failed: 0 } })
    expect(held.bing?.error).toContain('switched off')
    expect(told).toMatchObject({ enabled: true, error: expect.stringContaining('switched off') })
    expect(mended).toMatchObject({ status: 'succeeded', bing: { successful: 5, quotaUsed: 5 } })
    expect(await bingStatus(world)).not.toHaveProperty('error')
    expect(bing.requests).toHaveLength(asked + 1)
    expect(JSON.stringify([world.logs, refused, held])).not.toMatch(/wrong-key|c4n4ry/)
  })

  scenario('B03', 'a 401 as the seed has it does the same', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    await world.addSite(WITH_BING)
    bing.script(answers(401))

    await world.run()
    const held = await world.run()

    expect(held.bing?.error).toContain('switched off')
    expect(bing.requests).toHaveLength(1)
  })

  scenario('B03', 'an invalid URL costs only itself, and is not sent again', async () => {
    const badUrls = new Set<string>()
    const { world, bing } = await openBingWorld({ bing: { badUrls } })
    badUrls.add(world.site.url('/p/3'))
    world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
    await world.addSite(WITH_BING)

    const run = await world.run()
    const next = await world.run()

    expect(run).toMatchObject({
      status: 'partial',
      submitted: 5,
      bing: { total: 5, successful: 4, failed: 1, quotaUsed: 4 },
    })
    expect(next).toMatchObject({ status: 'succeeded', bing: { total: 0 } })
    expect(new Set(pathsAt(bing))).toEqual(new Set(['/p/0', '/p/1', '/p/2', '/p/4']))
  })

  scenario('B03', 'a 429 waits 60 s, three times, and then leaves the URLs', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
    await world.addSite(WITH_BING)
    bing.always(answers(429))

    const run = await world.run()
    bing.always()
    const next = await world.run()

    expect(world.clock.slept.filter((ms) => ms === seconds(60))).toHaveLength(3)
    expect(messagesOf(world)).toEqual(expect.arrayContaining(['retry 1/3', 'retry 3/3']))
    expect(run).toMatchObject({ status: 'partial', submitted: 5, bing: { successful: 0 } })
    expect(next.bing).toMatchObject({ successful: 5 })
  })
})

describe('the settings of Bing', () => {
  scenario('B08', 'enabled without a key is refused; defaults are filled in', async () => {
    const { world } = await openBingWorld()

    const refused = await world.api('POST', '/api/sites', {
      sitemapUrl: world.site.url('/sitemap.xml'),
      apiKey: 'a1b2c3d4e5f60718',
      bingEnabled: true,
    })
    const id = await world.addSite()
    const off = await bingStatus(world)
    const changed = await world.api('PUT', `/api/sites/${id}`, WITH_BING)

    expect(refused.status).toBe(400)
    expect(refused.body.error?.message).toContain('bingApiKey is required when bingEnabled is true')
    expect(off).toEqual({ enabled: false })
    expect(changed.body['site']).toMatchObject({
      bingEnabled: true,
      bingApiKey: '****',
      bingDailyQuota: 100,
      bingPriority: 'newest',
    })
    for (const bingDailyQuota of [0, 501, 1.5, 'AUTO']) {
      expect((await world.api('PUT', `/api/sites/${id}`, { bingDailyQuota })).status).toBe(400)
    }
    expect((await world.api('PUT', `/api/sites/${id}`, { bingPriority: 'oldest' })).status).toBe(
      400,
    )
  })

  scenario('B08', 'switched on for a site that is there, the next run includes it', async () => {
    const { world, bing } = await openBingWorld()
    world.site.put({ '/sitemap.xml': { body: sitemapOf(paths(5)), headers: { etag: '"one"' } } })
    const id = await world.addSite()
    const before = await world.run()

    await world.api('PUT', `/api/sites/${id}`, WITH_BING)
    const after = await world.run()

    expect(before.bing).toBeUndefined()
    expect(after).toMatchObject({ submitted: 0, bing: { total: 5, successful: 5 } })
    expect(bing.accepted).toHaveLength(5)
  })

  scenario('R02', 'channel=bing where it is not enabled is HTTP 400', async () => {
    const { world } = await openBingWorld()
    await world.addSite()

    const refused = await world.api('GET', '/trigger?channel=bing')

    expect(refused.status).toBe(400)
    expect(refused.body.error?.message).toContain('Bing submission is not enabled for this site')
  })
})
