import { describe, expect } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import type { Bing } from '../support/stand-ins/bing.ts'
import { paths, sitemapOf } from '../support/world.ts'
import { bingStatus, openBingWorld, pathsAt, WITH_BING } from './bing-world.ts'

const batchesAt = ({ requests }: Bing) =>
  requests
    .filter(({ method }) => method === 'POST')
    .map(({ body }) => JSON.parse(body) as { siteUrl: string; urlList: string[] })

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
