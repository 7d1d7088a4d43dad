import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished } from 'vitest'
import { readConfig } from '../../src/apps/read-config.ts'
import { openSubmitSide, type SubmitSide } from '../../src/apps/server/submit-side.ts'
import { type LogLine, openLog } from '../../src/core/log.ts'
import type { Random } from '../../src/core/random.ts'
import { Secret } from '../../src/core/secret.ts'
import { httpApp } from '../../src/http/http-app.ts'
import type { HttpApp } from '../../src/http/http-env.ts'
import { type EmbeddedStores, openSqliteStores } from '../../src/stores/sqlite/open.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { withoutChinese } from './chinese.ts'
import { countingRandom } from './counting-random.ts'
import { FakeClock } from './fake-clock.ts'
import { type IndexNowEngine, openIndexNowEngine } from './stand-ins/indexnow-engine.ts'
import { openSite, type SiteStandIn } from './stand-ins/site.ts'

export const KEY = 'a1b2c3d4e5f60718'
export const MASTER_KEY = new Secret('master-key-of-the-test-world')
const TOKEN = 'token-of-the-test-world'

export interface Answer {
  readonly status: number
  readonly body: Readonly<Record<string, unknown>> & {
    readonly error?: {
      readonly code: string
      readonly message: string
      readonly retryable: boolean
    }
  }
}

/** A server in this process: real routes, real store, real HTTP to stand-ins; only the time is made up. */
export interface World {
  readonly clock: FakeClock
  readonly site: SiteStandIn
  readonly engine: IndexNowEngine
  readonly logs: readonly LogLine[]
  readonly folder: string
  /** Changes when the server is restarted. */
  readonly stores: EmbeddedStores
  readonly side: SubmitSide
  api(method: string, path: string, body?: unknown): Promise<Answer>
  /** Adds a site for the stand-in, with one engine; gives its id. */
  addSite(settings?: Readonly<Record<string, unknown>>): Promise<string>
  /** Runs to the end and gives the record. */
  run(query?: string): Promise<ShownRun>
  /** Ends the server as SIGTERM does and starts another over the same data. */
  restart(env?: Readonly<Record<string, string>>): Promise<void>
}

export interface WorldOptions {
  readonly start?: string
  readonly env?: Readonly<Record<string, string>>
  readonly engine?: Omit<Parameters<typeof openIndexNowEngine>[0], 'clock'>
}

export async function openWorld({
  start,
  env = {},
  engine: engineOptions,
}: WorldOptions = {}): Promise<World> {
  const clock = new FakeClock(start)
  const folder = mkdtempSync(join(tmpdir(), 'sluice-world-'))
  const logs: LogLine[] = []
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const engine = await openIndexNowEngine({ clock, ...engineOptions })
  // One for all servers: an id that came up twice would hide a run behind another.
  const random = countingRandom()
  let server = openServer({ folder, clock, random, logs, env })
  onTestFinished(async () => {
    await server.side.stop()
    server.stores.close()
    await Promise.all([site.close(), engine.close()])
    rmSync(folder, { recursive: true, force: true })
  })

  const api = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const response = await server.app.request(path, {
      method,
      headers: { authorization: `Bearer ${TOKEN}`, 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Answer['body'] }
  }
  return {
    clock,
    site,
    engine,
    logs,
    folder,
    get stores() {
      return server.stores
    },
    get side() {
      return server.side
    },
    api,
    async addSite(settings = {}) {
      const usual = {
        sitemapUrl: site.url('/sitemap.xml'),
        apiKey: KEY,
        searchEngines: [engine.endpoint],
      }
      const added = await api('POST', '/api/sites', { ...usual, ...settings })
      if (added.status !== 201) throw new Error(JSON.stringify(added.body))
      return (added.body['site'] as { id: string }).id
    },
    async run(query = '') {
      const answer = await api('POST', `/trigger?wait=true&${query}`)
      if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
      const run = answer.body['run'] as ShownRun
      // Whatever a run says, its page says in both languages.
      expect(withoutChinese([...run.errors, ...run.warnings])).toEqual([])
      return run
    },
    async restart(changed = {}) {
      await server.side.stop()
      server.stores.close()
      server = openServer({ folder, clock, random, logs, env: { ...env, ...changed } })
    },
  }
}

interface ServerOptions {
  readonly folder: string
  readonly clock: FakeClock
  readonly random: Random
  readonly logs: LogLine[]
  readonly env: Readonly<Record<string, string>>
}

function openServer({ folder, clock, random, logs, env }: ServerOptions): {
  app: HttpApp
  stores: EmbeddedStores
  side: SubmitSide
} {
  const read = readConfig(
    { SLUICE_ALLOW_PRIVATE: '1', SLUICE_DATA: folder, ...env },
    { version: '0.0.0', isTerminal: false },
  )
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const { config } = read.value
  const log = openLog({ clock, level: 'debug', write: (line) => logs.push(line) })
  const stores = openSqliteStores({ folder, clock, random })
  const side = openSubmitSide({ config, stores, masterKey: MASTER_KEY, clock, random, log })
  const tokens = { admin: new Secret(TOKEN), advice: '' }
  return { app: httpApp({ clock, random, log, tokens, modules: side.routes }), stores, side }
}

/** A sitemap of pages on the stand-in site, each with its lastmod where given. */
export function sitemapOf(
  pages: readonly (string | readonly [path: string, lastmod: string])[],
): string {
  const entries = pages.map((page) => {
    const [path, lastmod] = typeof page === 'string' ? [page, undefined] : page
    return `<url><loc>{origin}${path}</loc>${lastmod ? `<lastmod>${lastmod}</lastmod>` : ''}</url>`
  })
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${entries.join('\n')}</urlset>`
}

/** `/p/0` to `/p/{count - 1}`. */
export function paths(count: number, from = 0): string[] {
  return Array.from({ length: count }, (_, n) => `/p/${from + n}`)
}
