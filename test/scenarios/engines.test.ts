import { expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { forbids } from '../support/stand-ins/indexnow-engine.ts'
import { type SiteFile, sitemapIndex } from '../support/stand-ins/site.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { anotherEngine, sentTo, statesOf } from './support.ts'

const WRONG_KEY_FILES: Readonly<Record<string, { file: SiteFile; says: string }>> = {
  missing: { file: { status: 404 }, says: 'answers 404.' },
  wrong: { file: 'another-key', says: 'holds something else than the key.' },
  redirected: {
    file: { status: 301, headers: { location: '/elsewhere.txt' } },
    says: 'answers with a redirect (301).',
  },
}

for (const [what, { file, says }] of Object.entries(WRONG_KEY_FILES)) {
  scenario('S21', `a key file that is ${what} is a warning, and the run goes on`, async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)), [`/${KEY}.txt`]: file })
    await world.addSite()

    const run = await world.run()
    const status = await world.api('GET', '/status')

    const warning = `The key file ${world.site.url('/a1b2….txt')} ${says} Engines refuse submissions until it holds exactly the key: open it in a browser to see.`
    expect(run).toMatchObject({ status: 'succeeded', submitted: 2, warnings: [warning] })
    expect(status.body['warnings']).toEqual([warning])
    expect(JSON.stringify(world.logs)).not.toContain(KEY)
  })
}

scenario(
  'S21',
  'a key file that is still missing is still warned of when nothing is due',
  async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    await world.addSite({ apiKey: 'anotherkey12345' })
    await world.run()

    const next = await world.run()

    expect(next).toMatchObject({ new: 0, warnings: [expect.stringContaining('The key file')] })
  },
)

scenario('S22', 'up to 100 URLs go by GET, more by POST, unless the site says how', async () => {
  const world = await openWorld({ env: { REQUEST_INTERVAL_MS: '0' } })
  const methodsFor = async (id: string, count: number, settings = {}) => {
    world.site.put({ [`/${id}.xml`]: sitemapOf(paths(count)) })
    await world.addSite({ id, sitemapUrl: world.site.url(`/${id}.xml`), ...settings })
    const before = world.engine.requests.length
    await world.run(`site=${id}`)
    return world.engine.requests.slice(before).map(({ method }) => method)
  }

  const few = await methodsFor('few', 100)
  const many = await methodsFor('many', 101)
  const get = await methodsFor('get', 101, { submitMode: 'get' })
  const post = await methodsFor('post', 10_001, { submitMode: 'post' })

  expect(few).toEqual(Array.from({ length: 100 }, () => 'GET'))
  expect(many).toEqual(['POST'])
  expect(get).toEqual(Array.from({ length: 101 }, () => 'GET'))
  expect(post).toEqual(['POST', 'POST'])
  expect(world.engine.complaints).toEqual([])
})

scenario('S23', 'three engines, three answers to one batch: each is its own affair', async () => {
  const world = await openWorld()
  const [taking, refusing, waiting] = [
    world.engine,
    await anotherEngine(world),
    await anotherEngine(world),
  ]
  const endpoints = [refusing, taking, waiting].map(({ endpoint }) => endpoint)
  world.site.put({ '/sitemap.xml': sitemapOf(['/a', '/b']) })
  const id = await world.addSite({ submitMode: 'post', searchEngines: endpoints })
  refusing.script(forbids('InvalidKey'))
  waiting.script({ ...answers(202), takesEffect: true })

  const run = await world.run()
  const states = await statesOf(world, id, '/a')
  const next = await world.run()

  expect(run).toMatchObject({ status: 'partial', total: 2, new: 2, submitted: 2, failed: 2 })
  expect(run.engines).toMatchObject([
    { engine: refusing.endpoint, total: 2, successful: 0, failed: 2, pending: 0 },
    { engine: taking.endpoint, total: 2, successful: 2, failed: 0, pending: 0 },
    { engine: waiting.endpoint, total: 2, successful: 2, failed: 0, pending: 2 },
  ])
  expect(run.errors).toEqual([
    `${refusing.endpoint} answered 403 (InvalidKey): it does not accept the key. Open ${world.site.url('/a1b2….txt')}: it must show exactly the key, without a redirect. If it does, make a new key.`,
  ])
  expect(states).toMatchObject([
    { engine: refusing.endpoint, status: 'failed', statusCode: 403 },
    { engine: taking.endpoint, status: 'accepted', statusCode: 200 },
    { engine: waiting.endpoint, status: 'pending', statusCode: 202 },
  ])
  expect(next).toMatchObject({ status: 'succeeded', new: 2, submitted: 2, failed: 0 })
  expect([refusing, taking, waiting].map((engine) => sentTo(engine).length)).toEqual([4, 2, 2])
})

scenario('S27', 'the run ends with a summary per engine and a line of its own', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0', REQUEST_INTERVAL_MS: '0' } })
  const other = await anotherEngine(world)
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  const id = await world.addSite({
    submitMode: 'post',
    searchEngines: [world.engine.endpoint, other.endpoint],
  })
  other.script(answers(500))

  const run = await world.run()

  const summaries = world.logs.filter(({ event }) => event === 'indexnow.engine_done')
  expect(summaries).toMatchObject([
    { engine: world.engine.endpoint, total: 3, successful: 3, failed: 0, averageMs: 0, left: 0 },
    { engine: other.endpoint, total: 3, successful: 0, failed: 3, averageMs: 0, left: 0 },
  ])
  expect(world.logs.find(({ event }) => event === 'run.finished')).toMatchObject({
    level: 'warn',
    site: id,
    runId: run.id,
    status: 'partial',
    timestamp: Date.parse(run.startedAt),
    total_urls: 3,
    new_urls: 3,
    cached_urls: 0,
    submitted_urls: 3,
    failed_urls: 3,
    errors: run.errors,
  })
})

scenario('S28', 'a run past its budget stops, and the next goes on from there', async () => {
  const world = await openWorld({ env: { RUN_BUDGET_MS: '1000' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(25)) })
  await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })

  const first = await world.run()
  const runs = [first]
  while (runs.at(-1)?.status === 'partial') runs.push(await world.run())

  const left = 25 - first.submitted
  expect(first).toMatchObject({ status: 'partial', total: 25, new: 25, failed: 0, errors: [] })
  expect(first.submitted).toBeGreaterThan(5)
  expect(first.warnings).toEqual([
    `The run used up its 1000 ms; the next goes on with what is left: ${left} at ${world.engine.endpoint}. Raise RUN_BUDGET_MS, run more often, or use submitMode "post".`,
  ])
  expect(runs.at(-1)).toMatchObject({ status: 'succeeded', warnings: [] })
  expect(sentTo(world.engine)).toEqual(paths(25))
})

scenario('S28', 'a sitemap that takes too long to read leaves time for sending', async () => {
  const world = await openWorld({ env: { RUN_BUDGET_MS: '10000', SITEMAP_RETRY_MS: '7000' } })
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/quick.xml', '{origin}/more.xml'),
    '/quick.xml': sitemapOf(['/quick']),
    '/more.xml': sitemapIndex('{origin}/slow.xml'),
    '/slow.xml': [{ status: 503 }, { body: sitemapOf(['/slow']) }],
  })
  await world.addSite()

  const first = await world.run()
  const second = await world.run()

  expect(first).toMatchObject({ status: 'partial', total: 1, submitted: 1 })
  expect(first.errors).toEqual([
    `${world.site.url('/slow.xml')}: The run's time was used up before this file was read. The next run reads it; RUN_BUDGET_MS gives more time.`,
  ])
  expect(second).toMatchObject({ status: 'succeeded', total: 2, new: 1, submitted: 1 })
})

scenario('S29', 'a server that is stopped in the middle of a run sends nothing twice', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(20)) })
  const id = await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })
  const started = await world.api('POST', '/trigger')
  for (let sent = 0; sent < 5; sent++) await world.engine.arrival()

  await world.restart()
  const stopped = await world.api('GET', `/api/runs/${String(started.body['runId'])}`)
  const run = await world.run()

  expect(stopped.body['run']).toMatchObject({ siteId: id, status: 'interrupted', total: 20 })
  expect(run).toMatchObject({ status: 'succeeded', total: 20 })
  const times = paths(20).map((path) => world.engine.received.get(world.site.url(path))?.count)
  expect(times.filter((count) => count === 1).length).toBeGreaterThanOrEqual(19)
  expect(times).not.toContain(undefined)
})
