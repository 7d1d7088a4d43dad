import { DurableObject } from 'cloudflare:workers'
import type { Json } from '../../core/json.ts'
import { fail, type Result } from '../../core/result.ts'
import { type UtcDay, utcDayOf } from '../../core/utc-day.ts'
import { metricsRoutes } from '../../dashboard/metrics/routes.ts'
import { Secret } from '../../core/secret.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { openApiRoutes } from '../../http/openapi.ts'
import type { SiteChanged, SiteMissing, SiteRecord, SiteStore } from '../../stores/site-store.ts'
import { durableSql } from '../../stores/sqlite/durable-sql.ts'
import { migrate } from '../../stores/sqlite/migrate.ts'
import { sqliteStores } from '../../stores/sqlite/stores.ts'
import type { Runner } from '../../submit/runner.ts'
import { siteFromEnvironment, type SitesOptions } from '../../submit/sites.ts'
import { aboutRoutes } from '../about.ts'
import { VERSION } from '../version.ts'
import type { DirectoryCalls, Env, ObjectState } from './bindings.ts'
import { hasIndexNowKey } from './key-file.ts'
import { type KeptReports, openReports } from './kept-reports.ts'
import { objectApp, openSubmitParts } from './open-site.ts'
import { type Reports, reportedStores } from './reported-stores.ts'
import type { SiteReport } from './site-report.ts'
import { type SliceUse, useMetrics } from './slice-use.ts'
import { surroundingsOrThrow } from './surroundings.ts'
import { workerPages } from './worker-pages.ts'

interface OpenedDirectory {
  readonly sites: SitesOptions
  readonly masterKey: string
  readonly reports: KeptReports
  readonly app: HttpApp
}

/** Which sites there are and what is set for them; everything else of a site is in its own object. */
export class SiteDirectory extends DurableObject<Env, ObjectState> implements DirectoryCalls {
  #opened: Promise<OpenedDirectory> | undefined

  async fetch(request: Request): Promise<Response> {
    return (await this.#open()).app.fetch(request)
  }

  async siteIds(): Promise<readonly string[]> {
    const { sites } = await this.#open()
    return (await sites.sites.list()).map(({ id }) => id)
  }

  async hasIndexNowKey(key: string): Promise<boolean> {
    return hasIndexNowKey((await this.#open()).sites, key)
  }

  async masterKey(): Promise<string> {
    return (await this.#open()).masterKey
  }

  async getSite(id: string): Promise<SiteRecord | undefined> {
    return (await this.#open()).sites.sites.get(id)
  }

  async replaceSite(
    read: Pick<SiteRecord, 'id' | 'version'>,
    settings: Json,
  ): Promise<Result<SiteRecord, SiteMissing | SiteChanged>> {
    return (await this.#open()).sites.sites.replace(read, settings)
  }

  async removeSite(id: string): Promise<boolean> {
    const { sites, reports } = await this.#open()
    await reports.forget(id)
    return sites.sites.remove(id)
  }

  async siteOfRun(runId: string): Promise<string | undefined> {
    const { reports } = await this.#open()
    const told = [...reports.all].find(([, { runs }]) => runs.some(({ id }) => id === runId))
    return told?.[0]
  }

  async report(siteId: string, report: SiteReport): Promise<void> {
    const { sites, reports } = await this.#open()
    // One that was removed meanwhile has nothing to tell.
    if (await sites.sites.get(siteId)) await reports.keep(siteId, report)
  }

  #open(): Promise<OpenedDirectory> {
    this.#opened ??= open(this.ctx, this.env).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

async function open({ storage }: ObjectState, env: Env): Promise<OpenedDirectory> {
  const around = surroundingsOrThrow(env)
  const { config, clock, random, log } = around
  const sql = durableSql(storage)
  migrate(sql, clock.now())
  const local = sqliteStores({ sql, clock, random })
  const reports = await openReports(storage)
  const stores = reportedStores({
    local,
    reports: reports.all,
    clock,
    askSites: (days) => askSites(days, local.sites, env),
  })
  const masterKey = config.cookieMasterKey?.reveal() ?? (await keptMasterKey(storage, random))
  const parts = openSubmitParts(stores, new Secret(masterKey), around)
  const own = await siteFromEnvironment(parts.sites, config)
  if (!own.ok) {
    log.error('site.unusable', 'The site of the environment was not taken over.', {
      failure: own.failure,
    })
  }
  const about = { version: VERSION, runtime: 'workerd', startedAt: clock.now(), config }
  const more = [
    aboutRoutes(about),
    metricsRoutes({
      ...about,
      clock,
      submit: { stores, defaults: parts.sites.defaults },
      further: async () => useMetrics(usesOf(reports.all), utcDayOf(clock.now())),
    }),
    ...workerPages({ stores, runner: NO_RUNS, parts }, around),
    openApiRoutes(VERSION),
  ]
  return {
    sites: parts.sites,
    masterKey,
    reports,
    app: objectApp({ stores, runner: NO_RUNS, parts, more }, around),
  }
}

const KEPT = 'master-key'

/** Without COOKIE_MASTER_KEY one is made, once, and lies beside what it seals: better than none, worse than a secret. */
async function keptMasterKey(
  storage: ObjectState['storage'],
  random: { bytes(count: number): Uint8Array },
): Promise<string> {
  const kept = await storage.get<string>(KEPT)
  if (kept !== undefined) return kept
  const made = [...random.bytes(32)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  await storage.put(KEPT, made)
  return made
}

/** Longer ago than reports go back: each object knows its own. */
async function askSites(days: readonly UtcDay[], sites: SiteStore, env: Env) {
  const ids = (await sites.list()).map(({ id }) => id)
  return Promise.all(ids.map((id) => env.SITES.getByName(id).daily(id, days)))
}

function usesOf(reports: Reports): ReadonlyMap<string, SliceUse | undefined> {
  return new Map(Array.from(reports, ([siteId, { used }]) => [siteId, used]))
}

/** What is asked of a site that does not exist comes here, and is refused before anything starts. */
const NO_RUNS: Runner = {
  start: async ({ siteId }) => fail({ kind: 'site-missing', id: siteId }),
  submitUrls: async (id) => fail({ kind: 'site-missing', id }),
  runScheduled: async () => {},
  checkAlerts: async () => {},
  idle: async () => {},
  stop: async () => {},
}
