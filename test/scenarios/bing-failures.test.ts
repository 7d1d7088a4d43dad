import { describe, expect } from 'vitest'
import { days, seconds } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { bingError } from '../support/stand-ins/bing.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { paths, sitemapOf } from '../support/world.ts'
import {
  BING_KEY,
  bingStatus,
  messagesOf,
  openBingWorld,
  pathsAt,
  WITH_BING,
} from './bing-world.ts'

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
