import { execFile } from 'node:child_process'
import { createServer, get, type Server } from 'node:http'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { AddressInfo } from 'node:net'
import { getRequestListener } from '@hono/node-server'
import { Hono } from 'hono'
import { openKeyRing } from '../../src/apps/node/key-ring.ts'
import { readConfig } from '../../src/apps/read-config.ts'
import type { Config } from '../../src/apps/settings.ts'
import { serverRoutes } from '../../src/apps/server/routes.ts'
import { startServer } from '../../src/apps/server/start-server.ts'
import { systemClock } from '../../src/core/clock.ts'
import { days } from '../../src/core/duration.ts'
import { silentLog } from '../../src/core/log.ts'
import { systemRandom } from '../../src/core/random.ts'
import { Secret } from '../../src/core/secret.ts'
import { createSite } from '../../src/submit/sites.ts'
import { openSqliteStores } from '../../src/stores/sqlite/open.ts'
import type { Contender, Measurement } from './benchmark.ts'

const TOKEN = 'token-of-the-benchmark'
const MASTER_KEY = 'master-key-of-the-benchmark'
const KEY = 'a1b2c3d4e5f60718'
const RUNS = 100
const SECONDS = 5
/** Asked before it counts: the first thousands of requests meet code that is not compiled yet. */
const WARM_UP_SECONDS = 2
const CONNECTIONS = 10

const NUMBERS = {
  total: 1_000,
  new: 20,
  cached: 980,
  submitted: 19,
  failed: 1,
  deleted: 0,
  invalid: 0,
}
const COUNTS = { total: 20, successful: 19, failed: 1, pending: 0, averageMs: 80 }

const REPORTED = {
  ...NUMBERS,
  errors: ['https://api.indexnow.org answers 422.'],
  warnings: [],
  engines: ['api.indexnow.org', 'www.bing.com', 'yandex.com'].map((host) => ({
    engine: `https://${host}/indexnow`,
    ...COUNTS,
  })),
}

const HEADERS = { accept: 'text/html', authorization: `Bearer ${TOKEN}` }

/** As long as what `/status` answers, and as long as a session's cookie. */
const BARE_DOCUMENT = { success: true, run: REPORTED, rest: '.'.repeat(275) }
const BARE_COOKIE = `session=${'.'.repeat(70)}`

/** A route that looks nothing up, over the same server and asked in the same way: what HTTP itself costs here. */
export const BARE: Contender = {
  name: 'bare Hono route',
  steps: {
    async '/bare'() {
      const app = new Hono()
      app.get('/bare', (c) => c.json(BARE_DOCUMENT))
      const listener = getRequestListener(app.fetch)
      const server = createServer((incoming, outgoing) => void listener(incoming, outgoing))
      await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
      const measured = await ask(`${originOf(server)}/bare`, { ...HEADERS, cookie: BARE_COOKIE })
      server.close()
      return measured
    },
  },
}

/** Our routes over a store with `sites` sites of 100 runs each. */
export function sluice(sites: number): Contender {
  const paths = ['/health', `/status?site=site-1`, '/', '/sites/site-1', '/metrics']
  const steps = paths.map((path) => [path, (folder: string) => measure(folder, path)] as const)
  return {
    name: `Sluice, ${sites} sites`,
    steps: { fill: (folder) => fill(folder, sites), ...Object.fromEntries(steps) },
  }
}

async function fill(folder: string, sites: number): Promise<Measurement> {
  const started = performance.now()
  const config = configFor(folder)
  const { sealer } = openKeyRing(config, new Secret(MASTER_KEY), systemRandom)
  const stores = openSqliteStores({ folder, clock: systemClock, random: systemRandom })
  const now = Date.now()
  for (let n = 0; n < sites; n++) {
    const siteId = `site-${n}`
    const settings = { id: siteId, sitemapUrl: `https://${siteId}.example/`, apiKey: KEY }
    const created = await createSite({ sites: stores.sites, sealer, defaults: config }, settings)
    if (!created.ok) throw new Error(JSON.stringify(created.failure))
    for (let run = RUNS - 1; run >= 0; run--) {
      const startedAt = now - days(run) - 60_000
      await stores.runs.finish({
        id: `run-${n}-${run}`,
        siteId,
        startedAt,
        finishedAt: startedAt + 5_000,
        status: 'succeeded',
        trigger: 'schedule',
        ...REPORTED,
      })
    }
  }
  stores.close()
  return { ms: performance.now() - started }
}

async function measure(folder: string, path: string): Promise<Measurement> {
  const server = await startServer({
    config: configFor(folder),
    clock: systemClock,
    random: systemRandom,
    log: silentLog,
    routes: serverRoutes,
  })
  if (!server.ok) throw new Error(JSON.stringify(server.failure))
  const { url } = server.value
  const login = await fetch(`${url}/login`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({ token: TOKEN }),
  })
  const cookie = login.headers.getSetCookie()[0]?.split(';')[0] ?? ''
  const measured = await ask(`${url}${path}`, { ...HEADERS, cookie })
  await server.value.stop(100)
  return measured
}

function configFor(folder: string): Config {
  const env = {
    SLUICE_DATA: folder,
    PORT: '0',
    ADMIN_TOKEN: TOKEN,
    COOKIE_MASTER_KEY: MASTER_KEY,
    CRON_SCHEDULE: '0 0 1 1 *',
  }
  const read = readConfig(env, { version: '0.0.0', isTerminal: false })
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  return read.value.config
}

interface Told {
  readonly requests: { readonly average: number; readonly total: number }
  readonly latency: { readonly p99: number }
  readonly non2xx: number
  readonly errors: number
}

/** Asked by a process of its own, so that the processor's time here is that of the answers. */
async function ask(url: string, headers: Readonly<Record<string, string>>): Promise<Measurement> {
  const bytes = await bytesSent(url, headers)
  const words = Object.entries(headers).flatMap(([name, value]) => ['-H', `${name}=${value}`])
  await fire(WARM_UP_SECONDS, [...words, url])
  const cpu = process.cpuUsage()
  const told = await fire(SECONDS, [...words, url])
  const { user, system } = process.cpuUsage(cpu)
  const cpuMs = (user + system) / 1_000 / told.requests.total
  const { average: rate } = told.requests
  return { ms: 1_000 / rate, rate, p99Ms: told.latency.p99, cpuMs, bytes }
}

async function fire(seconds: number, words: readonly string[]): Promise<Told> {
  const autocannon = fileURLToPath(import.meta.resolve('autocannon'))
  const fixed = [autocannon, '-j', `-c${CONNECTIONS}`, `-d${seconds}`]
  const { stdout } = await promisify(execFile)(process.execPath, [...fixed, ...words])
  const told = JSON.parse(stdout) as Told
  if (told.non2xx > 0 || told.errors > 0) throw new Error(`${words.at(-1)}: ${stdout}`)
  return told
}

/** As a browser asks: compressed, where the server does that. */
function bytesSent(url: string, headers: Readonly<Record<string, string>>): Promise<number> {
  return new Promise((resolve, reject) => {
    const options = { headers: { ...headers, 'accept-encoding': 'gzip' } }
    get(url, options, (answer) => {
      let bytes = 0
      answer.on('data', (chunk: Buffer) => (bytes += chunk.length))
      answer.on('end', () => resolve(bytes))
    }).on('error', reject)
  })
}

function originOf(server: Server): string {
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}
