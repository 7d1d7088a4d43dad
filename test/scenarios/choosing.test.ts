import { expect } from 'vitest'
import { days, hours } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { sitemapIndex } from '../support/stand-ins/site.ts'
import { answers, USUAL } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf } from '../support/world.ts'
import { anotherEngine, anotherSite, sentTo, statesOf } from './support.ts'

scenario('S10', 'an accepted URL is not sent again for 30 days', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  await world.addSite()
  await world.run()

  world.clock.advance(days(29))
  const early = await world.run()
  world.clock.advance(days(1))
  const late = await world.run()

  expect(early).toMatchObject({ total: 3, new: 0, cached: 3, submitted: 0 })
  expect(late).toMatchObject({ total: 3, new: 3, cached: 0, submitted: 3 })
})

scenario('S10', 'a newer lastmod is sent at once, an older one is not', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapOf([
      ['/a', '2025-01-10'],
      ['/b', '2025-01-10'],
    ]),
  })
  await world.addSite()
  await world.run()

  world.site.put({
    '/sitemap.xml': sitemapOf([
      ['/a', '2025-01-10T00:00:01Z'],
      ['/b', '2025-01-09'],
    ]),
  })
  world.clock.advance(hours(1))
  const run = await world.run()

  expect(run).toMatchObject({ new: 1, submitted: 1 })
  expect(world.engine.received.get(world.site.url('/a'))?.count).toBe(2)
  expect(world.engine.received.get(world.site.url('/b'))?.count).toBe(1)
})

scenario('S11', 'what fails is remembered as failed, never as submitted', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  const id = await world.addSite({ submitMode: 'post' })
  world.engine.script(answers(503))

  const failed = await world.run()
  const lookup = await world.api(
    'GET',
    `/api/sites/${id}/urls?url=${encodeURIComponent(world.site.url('/p/1'))}`,
  )
  const next = await world.run()

  expect(failed).toMatchObject({ status: 'failed', submitted: 0, failed: 3 })
  expect(lookup.body['states']).toMatchObject([{ status: 'failed', statusCode: 503 }])
  expect(next).toMatchObject({ status: 'succeeded', new: 3, submitted: 3 })
})

scenario('S11', 'each engine has its own memory of a URL', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  const other = await anotherEngine(world)
  world.site.put({ '/sitemap.xml': sitemapOf(['/a']) })
  const id = await world.addSite({ searchEngines: [world.engine.endpoint, other.endpoint] })
  other.script(answers(500))

  await world.run()
  const states = await statesOf(world, id, '/a')

  expect(states).toMatchObject([
    { channel: 'indexnow', engine: world.engine.endpoint, status: 'accepted', statusCode: 200 },
    { channel: 'indexnow', engine: other.endpoint, status: 'failed', statusCode: 500 },
  ])
})

scenario(
  'S10',
  'an engine that is added later gets every URL, the others nothing again',
  async () => {
    const world = await openWorld()
    const other = await anotherEngine(world)
    world.site.put({ '/sitemap.xml': { headers: { etag: '"1"' }, body: sitemapOf(paths(3)) } })
    const id = await world.addSite()
    await world.run()

    await world.api('PUT', `/api/sites/${id}`, {
      searchEngines: [world.engine.endpoint, other.endpoint],
    })
    const run = await world.run()

    expect(run).toMatchObject({ new: 3, submitted: 3 })
    expect([sentTo(world.engine).length, sentTo(other).length]).toEqual([3, 3])
  },
)

scenario('S12', 'what failed comes first in the next run', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(4)) })
  await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })
  world.engine.script(USUAL, USUAL, answers(500), answers(500))
  await world.run()

  world.site.put({ '/sitemap.xml': sitemapOf(['/new', ...paths(4)]) })
  const run = await world.run()

  expect(sentTo(world.engine).slice(0, 4)).toEqual(paths(4))
  expect(sentTo(world.engine).slice(4)).toEqual(['/p/2', '/p/3', '/new'])
  expect(run).toMatchObject({ status: 'succeeded', new: 3, submitted: 3 })
})

scenario('S14', 'a baseline remembers everything and submits only what comes later', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf([...paths(3), ['/changing', '2025-01-01']]) })
  const id = await world.addSite({ firstRun: 'baseline' })

  const baseline = await world.run()
  world.site.put({
    '/sitemap.xml': sitemapOf([...paths(3), ['/changing', '2025-01-14'], '/new']),
  })
  const next = await world.run()
  world.clock.advance(days(365))
  const muchLater = await world.run()

  expect(baseline).toMatchObject({ status: 'succeeded', total: 4, new: 0, cached: 4, submitted: 0 })
  expect(next).toMatchObject({ total: 5, new: 2, submitted: 2 })
  expect(sentTo(world.engine).slice(0, 2).toSorted()).toEqual(['/changing', '/new'])
  expect(await statesOf(world, id, '/p/0')).toMatchObject([{ status: 'baseline' }])
  expect(muchLater).toMatchObject({ new: 2, submitted: 2 })
})

scenario('S14', 'a baseline goes on until the sitemaps were read whole once', async () => {
  const world = await openWorld({ env: { SITEMAP_RETRY_MS: '0' } })
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
    '/one.xml': sitemapOf(paths(3)),
    '/two.xml': { status: 503 },
  })
  await world.addSite({ firstRun: 'baseline' })

  const incomplete = await world.run()
  world.site.put({ '/two.xml': sitemapOf(paths(3, 3)) })
  const whole = await world.run()
  world.site.put({ '/two.xml': sitemapOf(paths(4, 3)) })
  const next = await world.run()

  expect(incomplete).toMatchObject({ status: 'partial', total: 3, new: 0, submitted: 0 })
  expect(incomplete.warnings).toEqual([
    'Nothing is submitted before the sitemaps were read whole once, because firstRun is "baseline". The next run goes on; repair the files that could not be read, or set firstRun to "submit".',
  ])
  expect(whole).toMatchObject({ status: 'succeeded', total: 6, new: 0, submitted: 0, warnings: [] })
  expect(next).toMatchObject({ total: 7, new: 1, submitted: 1 })
})

scenario('S14', 'a site that began otherwise, or empty, never becomes a baseline', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  world.site.put({ '/sitemap.xml': sitemapOf(['/a']) })
  const id = await world.addSite()
  world.engine.script(answers(500))
  await world.run()
  await world.api('PUT', `/api/sites/${id}`, { firstRun: 'baseline' })
  const empty = await anotherSite(world)
  empty.put({ '/sitemap.xml': sitemapIndex() })
  await world.addSite({ id: 'empty', sitemapUrl: empty.url('/sitemap.xml'), firstRun: 'baseline' })
  await world.run('site=empty')

  world.site.put({ '/sitemap.xml': sitemapOf(['/a', '/b']) })
  empty.put({ '/sitemap.xml': sitemapOf(['/a']) })
  const runs = [await world.run(`site=${id}`), await world.run('site=empty')]

  expect(runs).toMatchObject([
    { new: 2, submitted: 2 },
    { new: 1, submitted: 1 },
  ])
})
