import { expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { anotherEngine, bingOf, sentTo, statesOf } from './support.ts'

/** A site of `/p/0` to `/p/9` that was run once; `leave` takes pages out of its sitemap. */
async function afterFirstRun(settings: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld({ env: { MAX_RETRIES: '0', SITEMAP_RETRY_MS: '0' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
  const id = await world.addSite({ submitDeleted: true, ...settings })
  await world.run()
  return { world, id, leave: (...gone: string[]) => leave(world, gone) }
}

function leave(world: World, gone: readonly string[]): void {
  const left = paths(10).filter((path) => !gone.includes(path))
  world.site.put({ '/sitemap.xml': sitemapOf(left) })
}

/** What the site's only engine is said to know of a page. */
async function statusOf(world: World, id: string, path: string) {
  const states = (await statesOf(world, id, path)) as { status: string; statusCode: number }[]
  return states.map(({ status, statusCode }) => `${status} ${statusCode}`).join()
}

const sentLater = (world: World) => sentTo(world.engine).slice(10).toSorted()

scenario('S13', 'pages that are gone or lead elsewhere are submitted, others are not', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  world.site.put({
    '/p/1': { status: 410 },
    '/p/2': { status: 301, headers: { location: '/p/0' } },
    '/p/3': 'still here, only no longer listed',
  })

  leaves('/p/0', '/p/1', '/p/2', '/p/3')
  const run = await world.run()
  const next = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 6, deleted: 3, submitted: 3 })
  expect(sentLater(world)).toEqual(['/p/0', '/p/1', '/p/2'])
  expect(next).toMatchObject({ deleted: 0, submitted: 0 })
})

scenario('S13', 'without submitDeleted nothing is asked for and nothing submitted', async () => {
  const { world, leave: leaves } = await afterFirstRun({ submitDeleted: false })

  leaves('/p/0')
  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 9, deleted: 0, submitted: 0 })
  expect(world.site.asked()).not.toContain('/p/0')
})

scenario('S13', 'a page that does not answer is asked for again in the next run', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  world.site.put({ '/p/0': [{ status: 503 }, { status: 404 }] })

  leaves('/p/0')
  const first = await world.run()
  const second = await world.run()

  expect(first).toMatchObject({ deleted: 0, submitted: 0 })
  expect(second).toMatchObject({ deleted: 1, submitted: 1 })
  expect(sentLater(world)).toEqual(['/p/0'])
})

scenario('S13', 'a site that knows no HEAD is asked by GET', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  world.site.put({ '/p/0': (request) => ({ status: request.method === 'HEAD' ? 405 : 404 }) })

  leaves('/p/0')
  const run = await world.run()

  expect(run).toMatchObject({ deleted: 1, submitted: 1 })
})

scenario('S13', 'a failed or broken sitemap never counts as deletion', async () => {
  const { world } = await afterFirstRun()

  world.site.put({ '/sitemap.xml': { status: 500 } })
  const failed = await world.run()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(5)).slice(0, -30) })
  const broken = await world.run()

  expect(failed).toMatchObject({ status: 'failed', deleted: 0 })
  expect(broken).toMatchObject({ status: 'partial', deleted: 0 })
  expect(sentLater(world)).toEqual([])
})

scenario('S13', 'a drop of more than half is no deletion, until it is one', async () => {
  const { world } = await afterFirstRun()
  const etag = { etag: '"half"' }
  world.site.put({ '/sitemap.xml': { headers: etag, body: sitemapOf(paths(4)) } })

  const dropped = await world.run()
  const still = await world.run()
  world.site.put({ '/sitemap.xml': sitemapOf([...paths(4), ...paths(8, 20)]) })
  const grown = await world.run()
  const settled = await world.run()

  expect(dropped).toMatchObject({ status: 'succeeded', total: 4, deleted: 0 })
  expect(dropped.warnings).toEqual([
    'More than half of the known pages are missing from the sitemap. That is taken as a mistake of the sitemap, and nothing counts as deleted.',
  ])
  expect(still).toMatchObject({ total: 4, deleted: 0, warnings: dropped.warnings })
  expect(grown).toMatchObject({ total: 12, new: 8, deleted: 0 })
  expect(settled).toMatchObject({ total: 12, new: 0, deleted: 6, submitted: 6 })
})

scenario('S13', 'a deletion that an engine refused comes again, to that engine alone', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  const other = await anotherEngine(world)
  world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
  await world.addSite({
    submitDeleted: true,
    searchEngines: [world.engine.endpoint, other.endpoint],
  })
  await world.run()

  leave(world, ['/p/0'])
  other.script(answers(503))
  const refused = await world.run()
  const again = await world.run()
  const after = await world.run()

  expect(refused).toMatchObject({ status: 'partial', deleted: 1, submitted: 1, failed: 1 })
  expect(again).toMatchObject({ status: 'succeeded', deleted: 0, submitted: 1, failed: 0 })
  expect(after).toMatchObject({ submitted: 0 })
  expect(sentTo(world.engine).filter((path) => path === '/p/0')).toHaveLength(2)
  expect(other.received.get(world.site.url('/p/0'))?.count).toBe(2)
})

scenario('S13', 'a deletion survives a shutdown between finding it and sending it', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  leaves('/p/0')
  world.engine.script({ fault: 'hang' })

  const arrival = world.engine.arrival()
  await world.api('POST', '/trigger')
  await arrival
  await world.restart()
  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', submitted: 1 })
  expect(world.engine.received.get(world.site.url('/p/0'))?.count).toBe(2)
})

scenario(
  'S13',
  'a run for Bing alone does not lose the deletions that IndexNow waits for',
  async () => {
    const world = await openWorld({ env: { MAX_RETRIES: '0', BING_API_URL: 'http://127.0.0.1:9' } })
    const bing = await bingOf({
      clock: world.clock,
      apiKey: 'bing-key',
      sites: [{ url: world.site.origin, dailyQuota: 100 }],
    })
    await world.restart({ BING_API_URL: bing.apiUrl })
    world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })
    await world.addSite({ submitDeleted: true, bingEnabled: true, bingApiKey: 'bing-key' })
    await world.run()
    leave(world, ['/p/0'])
    world.engine.script(answers(503))
    await world.run()

    const bingOnly = await world.run('channel=bing')
    const both = await world.run()

    expect(bingOnly).toMatchObject({ submitted: 0, engines: [] })
    expect(both).toMatchObject({ submitted: 1 })
    expect(world.engine.received.get(world.site.url('/p/0'))?.count).toBe(2)
  },
)

scenario('S13', 'a page that is listed again while its deletion waits is sent once', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  leaves('/p/0')
  world.engine.script(answers(503))
  await world.run()

  leaves()
  const back = await world.run()

  expect(back).toMatchObject({ total: 10, new: 1, submitted: 1 })
  expect(sentLater(world)).toEqual(['/p/0', '/p/0'])
})

scenario('S13', 'submitDeleted may be switched on later, off and on again', async () => {
  const { world, id, leave: leaves } = await afterFirstRun({ submitDeleted: false })
  const unchanged = (list: readonly string[], etag: string) =>
    world.site.put({ '/sitemap.xml': { headers: { etag }, body: sitemapOf(list) } })
  unchanged(paths(10), '"1"')
  await world.run()
  await world.api('PUT', `/api/sites/${id}`, { submitDeleted: true })
  await world.run()

  leaves('/p/0')
  const on = await world.run()
  await world.api('PUT', `/api/sites/${id}`, { submitDeleted: false })
  unchanged(paths(10, 1), '"2"')
  await world.run()
  await world.api('PUT', `/api/sites/${id}`, { submitDeleted: true })
  await world.run()
  unchanged(paths(9, 1), '"3"')
  const onAgain = await world.run()

  expect(on).toMatchObject({ deleted: 1, submitted: 1 })
  expect(onAgain).toMatchObject({ deleted: 1, submitted: 1 })
  expect(sentLater(world)).toEqual(['/p/0', '/p/10', '/p/10'])
})

scenario('S13', 'a page that comes back is news to the engines that took it for gone', async () => {
  const { world, leave: leaves } = await afterFirstRun()

  leaves('/p/0', '/p/1')
  await world.run()
  leaves('/p/1')
  const back = await world.run()
  await world.run()
  leaves()
  const backLater = await world.run()
  const next = await world.run()

  expect(back).toMatchObject({ deleted: 0, submitted: 1 })
  expect(backLater).toMatchObject({ deleted: 0, submitted: 1 })
  expect(next).toMatchObject({ submitted: 0 })
  expect(sentLater(world)).toEqual(['/p/0', '/p/0', '/p/1', '/p/1'])
})

scenario('S13', 'a page that came back survives a shutdown before it is sent', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  leaves('/p/0')
  await world.run()
  leaves()
  world.engine.script({ fault: 'hang' })

  const arrival = world.engine.arrival()
  await world.api('POST', '/trigger')
  await arrival
  await world.restart()
  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', submitted: 1 })
})

scenario('S13', 'a page that comes back when it is due anyway is sent once', async () => {
  const { world, leave: leaves } = await afterFirstRun({ cacheTtlDays: 0 })
  leaves('/p/0')
  await world.run()

  leaves()
  const back = await world.run()

  expect(back).toMatchObject({ total: 10, new: 10, submitted: 10 })
})

scenario(
  'S13',
  'a page that comes back is news, also where submitDeleted is off by then',
  async () => {
    const { world, id, leave: leaves } = await afterFirstRun()
    leaves('/p/0')
    await world.run()

    await world.api('PUT', `/api/sites/${id}`, { submitDeleted: false })
    leaves()
    const back = await world.run()
    const next = await world.run()

    expect(back).toMatchObject({ submitted: 1 })
    expect(next).toMatchObject({ submitted: 0 })
    expect(sentLater(world)).toEqual(['/p/0', '/p/0'])
  },
)

scenario(
  'S13',
  'a page that comes back is news to an engine that was left out meanwhile',
  async () => {
    const world = await openWorld()
    const other = await anotherEngine(world)
    const both = { searchEngines: [world.engine.endpoint, other.endpoint] }
    leave(world, [])
    const id = await world.addSite({ submitDeleted: true, ...both })
    await world.run()
    leave(world, ['/p/0'])
    await world.run()

    await world.api('PUT', `/api/sites/${id}`, { searchEngines: [world.engine.endpoint] })
    await world.run()
    leave(world, [])
    await world.run()
    await world.api('PUT', `/api/sites/${id}`, both)
    await world.run()

    expect(other.received.get(world.site.url('/p/0'))?.count).toBe(3)
    expect(world.engine.received.get(world.site.url('/p/0'))?.count).toBe(3)
  },
)

scenario('S13', 'a page that comes back is sent also where its deletion was refused', async () => {
  const { world, leave: leaves } = await afterFirstRun()
  leaves('/p/0', '/p/1')
  world.engine.script(answers(422))
  const refused = await world.run()

  leaves()
  const back = await world.run()

  expect(refused).toMatchObject({ deleted: 2, submitted: 1, failed: 1 })
  expect(back).toMatchObject({ submitted: 2 })
})

scenario('R08', 'a page is told as gone for as long as an engine takes it for gone', async () => {
  const { world, id, leave: leaves } = await afterFirstRun()
  const statuses = async () => [
    await statusOf(world, id, '/p/0'),
    await statusOf(world, id, '/p/1'),
  ]
  leaves('/p/0', '/p/1')
  world.engine.script(answers(422))

  await world.run()
  const told = await statuses()
  await world.run()
  const later = await statuses()
  leaves()
  await world.run()
  const back = await statuses()

  expect(told).toEqual(['rejected 422', 'gone 200'])
  expect(later).toEqual(told)
  expect(back).toEqual(['accepted 200', 'accepted 200'])
})

scenario(
  'S10',
  'a page that a hook sent after its deletion was told is not sent once more when it is listed again',
  async () => {
    const { world, id, leave: leaves } = await afterFirstRun()
    leaves('/p/0')
    await world.run()

    world.clock.advance(minutes(11))
    await world.api('POST', '/api/urls', { site: id, urls: [world.site.url('/p/0')] })
    leaves()
    const back = await world.run()

    expect(back).toMatchObject({ total: 10, submitted: 0 })
    expect(sentLater(world)).toEqual(['/p/0', '/p/0'])
  },
)
