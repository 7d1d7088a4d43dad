import { describe, expect } from 'vitest'
import { days, minutes } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { limitsRate } from '../support/stand-ins/indexnow-engine.ts'
import { paths, sitemapOf } from '../support/world.ts'
import { bingStatus, messagesOf, openBingWorld, pathsAt, WITH_BING } from './bing-world.ts'

const EXHAUSTED = 'Bing quota exhausted, skipping'

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
