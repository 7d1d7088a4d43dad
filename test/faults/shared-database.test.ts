import { expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { bearer, runProgram, type RunningServer, startServer } from '../server/support.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { startPostgres } from '../support/postgres-server.ts'
import { scenario } from '../support/scenario.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, urlset } from '../support/stand-ins/site.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { KEY, paths } from '../support/world.ts'

const URLS = 60
const IN_FLIGHT = 3
const TOKEN = 'token-of-the-fault-tests'
const MASTER_KEY = Buffer.alloc(32, 7).toString('base64url')
const LONG = minutes(2)

scenario(
  'X01',
  'two servers on one database run a scheduled site once',
  async () => {
    const world = await openSharedWorld()

    const servers = await Promise.all([world.start(), world.start()])
    await Promise.any(servers.map((server) => server.line('run.finished')))
    const runs = await world.runs(servers[0])
    await Promise.all(servers.map((server) => server.stop()))

    expect(runs).toMatchObject([{ trigger: 'schedule', status: 'succeeded', submitted: URLS }])
    expect([...world.engine.received.values()].map(({ times }) => times.length)).toEqual(
      Array.from({ length: URLS }, () => 1),
    )
  },
  LONG,
)

scenario(
  'R03',
  'what a killed server leaves undone another finishes once its lease is over',
  async () => {
    const world = await openSharedWorld()
    const killed = await world.start()
    for (let sent = 0; sent < 20; sent++) await world.engine.arrival()
    killed.send('SIGKILL')
    await killed.exited

    const other = await world.start()
    const tooEarly = await world.trigger(other)
    await other.stop()
    await world.passLeases()
    const last = await world.start()
    await last.line('run.finished')
    const runs = await world.runs(last)
    await last.stop()

    expect(tooEarly).toBe(409)
    expect(runs).toMatchObject([{ status: 'succeeded' }, { status: 'interrupted' }])
    expect([...world.engine.received.keys()].toSorted()).toEqual(world.urls.toSorted())
    const repeated = [...world.engine.received.values()].filter(({ times }) => times.length > 1)
    expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT)
  },
  LONG,
)

scenario(
  'X01',
  'a server says that it is not ready while the database is away, and recovers by itself',
  async () => {
    // One that keeps what it says it keeps: the others forget what was committed just before a crash.
    const postgres = await startPostgres('durable')
    onTestFinished(postgres.stop)
    const server = await startServer({
      DATABASE_URL: `${postgres.url}/postgres`,
      ADMIN_TOKEN: TOKEN,
      COOKIE_MASTER_KEY: MASTER_KEY,
    })
    const seen = new Set<number>()
    const ready = async () => {
      const { status } = await fetch(`${server.url}/ready`)
      seen.add(status)
      return status
    }

    expect(await ready()).toBe(200)
    const restarted = postgres.restart()
    while ((await ready()) === 200);
    await restarted
    while ((await ready()) !== 200);
    const sites = await fetch(`${server.url}/api/sites`, { headers: bearer(TOKEN) })

    expect(sites.status).toBe(200)
    expect(seen).toEqual(new Set([200, 503]))
    expect(server.output()).not.toContain('canary')
    expect((await server.stop()).code).toBe(0)
  },
  LONG,
)

scenario(
  'C07',
  'a server with another master key is refused, and told which it needs',
  async () => {
    const { url, drop } = await createTestDatabase()
    onTestFinished(drop)
    const first = await startServer({ DATABASE_URL: url, COOKIE_MASTER_KEY: MASTER_KEY })
    await first.stop()

    const second = runProgram({ DATABASE_URL: url })
    const { code } = await second.exited
    const rotated = await startServer({
      DATABASE_URL: url,
      COOKIE_MASTER_KEY: Buffer.alloc(32, 8).toString('base64url'),
      COOKIE_KEY_ID: 'k2',
      COOKIE_KEYS_OLD: `k1:${MASTER_KEY}`,
    })
    await rotated.stop()
    const outdated = runProgram({ DATABASE_URL: url, COOKIE_MASTER_KEY: MASTER_KEY })

    expect(code).toBe(2)
    expect(second.lines()).toMatchObject([{ event: 'start.refused', reason: 'master-key-differs' }])
    expect(second.lines()[0]?.msg).toContain('Give every server the same COOKIE_MASTER_KEY')
    expect((await outdated.exited).code).toBe(2)
  },
)

/** A site of long ago, in a database that any number of servers use. */
async function openSharedWorld() {
  const clock = systemClock
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const engine = await openIndexNowEngine({ clock })
  const { url, drop } = await createTestDatabase()
  const database = openPostgres({ url: new Secret(url), clock, connections: 1 })
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close(), database.close()])
    await drop()
  })
  const urls = paths(URLS).map((path) => site.url(path))
  site.put({ '/sitemap.xml': urlset(...urls) })
  const start = () =>
    startServer({
      DATABASE_URL: url,
      SLUICE_ALLOW_PRIVATE: '1',
      ADMIN_TOKEN: TOKEN,
      COOKIE_MASTER_KEY: MASTER_KEY,
      REQUEST_INTERVAL_MS: '1',
    })
  const ask = async (server: RunningServer, path: string, body?: unknown) =>
    fetch(`${server.url}${path}`, {
      method: body ? 'POST' : 'GET',
      headers: { ...bearer(TOKEN), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  const warm = await start()
  const added = await ask(warm, '/api/sites', {
    id: 'shop',
    sitemapUrl: site.url('/sitemap.xml'),
    apiKey: KEY,
    searchEngines: [engine.endpoint],
    maxConcurrentRequests: IN_FLIGHT,
    submitMode: 'get',
  })
  expect(added.status, await added.text()).toBe(201)
  await warm.stop()
  // As if it had been added before the last midnight: every server that starts finds that it was missed.
  await database.run('update site set created_at = 0')
  return {
    engine,
    urls,
    start,
    trigger: async (server: RunningServer) => (await ask(server, '/trigger?site=shop', {})).status,
    runs: async (server: RunningServer) => {
      const answer = await ask(server, '/api/sites/shop/runs')
      return ((await answer.json()) as { runs: ShownRun[] }).runs
    },
    /** As if so much time had passed that whoever does not renew has lost its lease. */
    passLeases: () => database.run('update lease set expires_at = sluice_now()'),
  }
}
