import { expect } from 'vitest'
import { days, minutes, seconds } from '../../src/core/duration.ts'
import { storedFields } from '../../src/submit/sealed-settings.ts'
import { scenario } from '../support/scenario.ts'
import { answers, breaks, USUAL } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { anotherEngine, bingOf, leaveDeadRun, runsOf, sentTo, until } from './support.ts'

const BING_KEY = 'bing-key-of-the-test'

async function worldWithBing(dailyQuota = 100) {
  const world = await openWorld({ start: '2025-01-15T10:30:00Z', env: { MAX_RETRIES: '0' } })
  const bing = await bingOf({
    clock: world.clock,
    apiKey: BING_KEY,
    sites: [{ url: world.site.origin, dailyQuota }],
  })
  await world.restart({ BING_API_URL: bing.apiUrl })
  return { world, bing }
}

const dailyOf = async (world: World, query = '') =>
  (await world.api('GET', `/api/stats/daily?${query}`)).body['daily']

scenario('R04', 'a run is recorded with what it read, sent and met', async () => {
  const { world } = await worldWithBing()
  const other = await anotherEngine(world)
  world.site.put({
    '/sitemap.xml': sitemapOf(paths(3)).replace('</urlset>', '<url><loc>no</loc></url></urlset>'),
  })
  const id = await world.addSite({
    submitMode: 'post',
    searchEngines: [world.engine.endpoint, other.endpoint],
    bingEnabled: true,
    bingApiKey: BING_KEY,
    bingDailyQuota: 2,
    requestIntervalMs: 0,
  })
  other.script(answers(500))

  const run = await world.run()
  const shown = await world.api('GET', `/api/runs/${run.id}`)

  expect(run).toEqual({
    id: run.id,
    siteId: id,
    trigger: 'manual',
    status: 'partial',
    startedAt: '2025-01-15T10:30:00.000Z',
    finishedAt: '2025-01-15T10:30:00.000Z',
    total: 3,
    new: 3,
    cached: 0,
    submitted: 3,
    failed: 3,
    deleted: 0,
    invalid: 1,
    errors: [
      `${other.endpoint} answered 500: it has a problem of its own. The next run sends again.`,
    ],
    warnings: [
      '1 entry of the sitemap was left out: "no" (not a whole address). Correct what makes the sitemap.',
    ],
    engines: [
      {
        engine: world.engine.endpoint,
        total: 3,
        successful: 3,
        failed: 0,
        pending: 0,
        averageMs: 0,
      },
      { engine: other.endpoint, total: 3, successful: 0, failed: 3, pending: 0, averageMs: 0 },
    ],
    bing: { total: 3, successful: 2, failed: 0, quotaUsed: 2, quotaRemaining: 0 },
  })
  expect(shown.body['run']).toEqual(run)
  expect(await runsOf(world, id)).toEqual([run])
})

scenario('R04', 'the last hundred runs are kept, newest first', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(['/a']) })
  const id = await world.addSite()
  const first = await world.run()

  for (let more = 0; more < 100; more++) {
    world.clock.advance(seconds(1))
    await world.run()
  }

  const runs = await runsOf(world, id)
  const forgotten = await world.api('GET', `/api/runs/${first.id}`)
  const few = await world.api('GET', `/api/sites/${id}/runs?limit=2`)
  expect(runs).toHaveLength(100)
  expect(runs.map(({ startedAt }) => startedAt)).toEqual(
    runs
      .map(({ startedAt }) => startedAt)
      .toSorted()
      .toReversed(),
  )
  expect(few.body['runs']).toEqual(runs.slice(0, 2))
  expect(forgotten.body.error?.message).toBe(
    'There is no such run. The last 100 of each site are kept; GET /api/sites/{id}/runs lists them.',
  )
  expect(await dailyOf(world, 'days=1')).toMatchObject([{ indexnow: { total: 1, successful: 1 } }])
})

scenario('R05', 'the status follows what is changed of a site, at once', async () => {
  const { world } = await worldWithBing()
  const id = await world.addSite()
  const statusOf = async () => (await world.api('GET', `/status?site=${id}`)).body
  const bingOn = { bingEnabled: true, bingApiKey: BING_KEY }

  const first = await statusOf()
  await world.api('PUT', `/api/sites/${id}`, { enabled: false })
  const paused = await statusOf()
  await world.api('PUT', `/api/sites/${id}`, { enabled: true, ...bingOn })
  const withBing = await statusOf()
  await world.api('DELETE', `/api/sites/${id}`)
  const removed = await world.api('GET', `/status?site=${id}`)
  await world.addSite({ enabled: false })

  expect(first).toMatchObject({ status: 'idle', bing: { enabled: false } })
  expect(paused).toMatchObject({ status: 'disabled' })
  expect(withBing).toMatchObject({ status: 'idle', bing: { enabled: true, todayQuotaUsed: 0 } })
  expect(removed.status).toBe(404)
  expect(await statusOf()).toMatchObject({ status: 'disabled', bing: { enabled: false } })
})

scenario(
  'R05',
  'the status says of a secret that does not open, until it is set anew',
  async () => {
    const { world } = await worldWithBing()
    const id = await world.addSite()
    const warnings = async () => (await world.api('GET', `/status?site=${id}`)).body['warnings']
    const before = await warnings()
    const record = await world.stores.sites.get(id)
    if (!record) throw new Error('no site')

    const settings = { ...storedFields(record), apiKey: 'sealed:v1:aes-256-gcm:k9:AAAA' }
    await world.stores.sites.replace(record, settings)
    const broken = await warnings()
    await world.api('PUT', `/api/sites/${id}`, { apiKey: 'another-key-of-the-test' })

    expect(before).toEqual([])
    expect(broken).toEqual([
      expect.stringMatching(
        /^The apiKey of .* cannot be opened: .*k9.* set the secret again\. PUT \S+ sets it\.$/,
      ),
    ])
    expect(await warnings()).toEqual([])
  },
)

scenario('R05', 'the status has the shape of the founding documents', async () => {
  const { world } = await worldWithBing()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(85)) })
  const id = await world.addSite({ bingEnabled: true, bingApiKey: BING_KEY, requestIntervalMs: 0 })
  const before = await world.api('GET', '/status')
  const run = await world.run()

  const { body } = await world.api('GET', `/status?site=${id}`)

  expect(before.body).toMatchObject({ status: 'idle', siteId: id, lastExecution: null })
  expect(body).toMatchObject({
    success: true,
    status: 'idle',
    siteId: id,
    warnings: [],
    lastExecution: {
      runId: run.id,
      timestamp: Date.parse(run.startedAt),
      total_urls: 85,
      new_urls: 85,
      cached_urls: 0,
      submitted_urls: 85,
      failed_urls: 0,
      errors: [],
    },
  })
  expect(body['bing']).toEqual({
    enabled: true,
    todayQuotaUsed: 85,
    todayQuotaRemaining: 15,
    lastSubmission: '2025-01-15T10:30:00.000Z',
  })
})

scenario('R05', 'a site without Bing, one that is off, none and several', async () => {
  const world = await openWorld()
  const none = await world.api('GET', '/status')
  const id = await world.addSite({ enabled: false })
  const off = await world.api('GET', '/status')
  await world.addSite({ id: 'second' })
  const several = await world.api('GET', '/status')
  const unknown = await world.api('GET', '/status?site=third')

  expect(none.body.error).toMatchObject({
    code: 'NOT_FOUND',
    message: 'There is no site yet. Add one with POST /api/sites.',
  })
  expect(off.body).toMatchObject({ status: 'disabled', siteId: id, bing: { enabled: false } })
  expect(several.status).toBe(400)
  expect(several.body.error?.message).toBe(
    'There are several sites: say which, with ?site=. GET /api/sites lists them.',
  )
  expect(unknown.status).toBe(404)
})

scenario('R05', 'the numbers of a day: IndexNow and Bing apart, no day left out', async () => {
  const { world } = await worldWithBing()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  const id = await world.addSite({ bingEnabled: true, bingApiKey: BING_KEY, bingDailyQuota: 2 })
  await world.run()
  world.clock.advance(days(2))
  await world.run()
  await world.api('POST', '/api/urls', { urls: [world.site.url('/hook')] })

  const daily = await dailyOf(world, 'days=3')
  const week = await dailyOf(world)
  const own = await dailyOf(world, `days=1&site=${id}`)
  const unknown = await world.api('GET', '/api/stats/daily?site=unknown')
  const wrong = await world.api('GET', '/api/stats/daily?days=0')

  expect(daily).toEqual([
    {
      date: '2025-01-15',
      indexnow: { total: 3, successful: 3 },
      bing: { total: 3, successful: 2 },
    },
    {
      date: '2025-01-16',
      indexnow: { total: 0, successful: 0 },
      bing: { total: 0, successful: 0 },
    },
    {
      date: '2025-01-17',
      indexnow: { total: 1, successful: 1 },
      bing: { total: 2, successful: 2 },
    },
  ])
  expect(week).toHaveLength(7)
  expect(own).toEqual((daily as unknown[]).slice(-1))
  expect([unknown.status, wrong.status]).toEqual([404, 400])
})

scenario('R05', 'how far a run is can be seen while it goes on', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(30)) })
  const id = await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })
  world.engine.script(...Array.from({ length: 20 }, () => USUAL), breaks('hang'))
  const begun = world.engine.arrival()
  const started = await world.api('POST', '/trigger')
  await begun
  const early = await world.api('GET', `/api/runs/${String(started.body['runId'])}`)
  await until(() => sentTo(world.engine).length === 21)

  const status = await world.api('GET', `/status?site=${id}`)
  const run = await world.api('GET', `/api/runs/${String(started.body['runId'])}`)

  expect(early.body['run']).toMatchObject({
    status: 'running',
    total: 30,
    new: 30,
    finishedAt: null,
  })
  expect(status.body).toMatchObject({ status: 'running', lastExecution: null })
  expect(status.body['currentRun']).toEqual(run.body['run'])
  const { engines, submitted } = run.body['run'] as { engines: unknown; submitted: number }
  expect(submitted).toBeGreaterThanOrEqual(10)
  expect(engines).toMatchObject([{ total: 30, successful: submitted, failed: 0 }])
})

scenario('R05', 'a run that a dead server left behind does not look alive', async () => {
  const world = await openWorld()
  const id = await world.addSite()
  await leaveDeadRun(world, id)
  const alive = await world.api('GET', '/status')

  world.clock.advance(minutes(2))
  const dead = await world.api('GET', '/status')

  expect(alive.body).toMatchObject({ status: 'running', currentRun: { id: 'run-dead', total: 7 } })
  expect(dead.body).toMatchObject({
    status: 'idle',
    lastExecution: { runId: 'run-dead', status: 'interrupted' },
  })
  expect(dead.body).not.toHaveProperty('currentRun')
  expect(await runsOf(world, id)).toMatchObject([{ id: 'run-dead', status: 'interrupted' }])
})
