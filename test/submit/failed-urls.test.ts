import { expect, it } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { FAILED_KEPT_PER_ENGINE, listFailedUrls } from '../../src/submit/failed-urls.ts'
import { FAILURE_REASONS, failureReason } from '../../src/submit/failure-reason.ts'
import { bingOf } from '../scenarios/support.ts'
import { scenario } from '../support/scenario.ts'
import { answers, USUAL } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'

const BING_KEY = '0123456789abcdef0123456789abcdef'
const pathsOf = async (world: World, id: string) =>
  (await listFailedUrls(world.stores.ledger, id)).map(({ url }) => new URL(url).pathname)

scenario('X06', 'what an engine refuses is listed with its reason until it is taken', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  const id = await world.addSite()
  world.engine.always(answers(403, '{"errorCode":"InvalidKey"}'))
  await world.run()

  const { body } = await world.api('GET', `/api/sites/${id}/failed`)
  const listed = await pathsOf(world, id)
  world.engine.always()
  await world.run()
  const after = await pathsOf(world, id)

  const failed = body['failed'] as readonly Record<string, unknown>[]
  expect(listed.toSorted((a, b) => a.localeCompare(b))).toEqual(paths(3))
  expect(failed[0]).toMatchObject({
    channel: 'indexnow',
    engine: world.engine.endpoint,
    status: 'failed',
    statusCode: 403,
    reason: 'key-refused',
    failedAt: expect.stringMatching(/^20\d\d-.*Z$/),
  })
  expect(after).toEqual([])
})

scenario(
  'X06',
  'what is not due any more leaves the list, what is refused for good stays',
  async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(4)) })
    const id = await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1, maxRetries: 0 })
    world.engine.script(USUAL, answers(422), answers(503))
    await world.run()
    const before = await pathsOf(world, id)

    world.site.put({ '/sitemap.xml': sitemapOf(['/p/0', '/p/1', '/p/3']) })
    world.clock.advance(days(1))
    await world.run()

    expect(before).toEqual(['/p/2', '/p/1'])
    expect(await pathsOf(world, id)).toEqual(['/p/1'])
  },
)

scenario('X06', 'of many failures the newest are listed', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(FAILED_KEPT_PER_ENGINE + 50)) })
  const id = await world.addSite()
  world.engine.always(answers(403))

  const run = await world.run()

  expect(run.failed).toBe(FAILED_KEPT_PER_ENGINE + 50)
  expect(await pathsOf(world, id)).toHaveLength(FAILED_KEPT_PER_ENGINE)
})

scenario(
  'X06',
  'failures at Bing are listed apart, and an engine that is gone is forgotten',
  async () => {
    const world = await openWorld()
    const { clock, site } = world
    const bing = await bingOf({
      clock,
      apiKey: BING_KEY,
      sites: [{ url: site.origin, dailyQuota: 500 }],
    })
    await world.restart({ BING_API_URL: bing.apiUrl })
    site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const id = await world.addSite({ bingEnabled: true, bingApiKey: BING_KEY, maxRetries: 0 })
    bing.always(answers(503))
    await world.run()
    const listed = await listFailedUrls(world.stores.ledger, id)

    await world.api('PUT', `/api/sites/${id}`, { bingEnabled: false })
    await world.run()

    expect(listed).toMatchObject([
      { engine: 'bing-webmaster', state: 'failed', statusCode: 503 },
      { engine: 'bing-webmaster', state: 'failed', statusCode: 503 },
    ])
    expect(await pathsOf(world, id)).toEqual([])
  },
)

scenario('R07', 'a hook lists nothing: its answer tells what failed', async () => {
  const world = await openWorld()
  const id = await world.addSite()
  world.engine.always(answers(403))

  const hook = await world.api('POST', '/api/urls', { site: id, urls: [world.site.url('/new')] })

  expect(hook.body['failed']).toBe(1)
  expect(await pathsOf(world, id)).toEqual([])
  expect((await world.api('GET', '/api/sites/none/failed')).status).toBe(404)
})

it('every answer has a reason', () => {
  const failed = { url: 'u', engine: 'https://e.example/', state: 'failed', at: 0 } as const
  const reasonOf = (statusCode: number) => failureReason({ ...failed, statusCode })
  const atBing = (statusCode: number, state: 'failed' | 'rejected') =>
    failureReason({ ...failed, engine: 'bing-webmaster', statusCode, state })

  const reasons = [0, 400, 422, 403, 429, 503, 404].map(reasonOf)

  expect([...reasons, atBing(400, 'rejected'), atBing(400, 'failed')]).toEqual([
    'no-answer',
    'malformed',
    'not-covered',
    'key-refused',
    'rate-limited',
    'engine-trouble',
    'unexpected',
    'url-refused',
    'unexpected',
  ])
  expect(new Set([...reasons, 'url-refused'])).toEqual(new Set(Object.keys(FAILURE_REASONS)))
})
