import { DurableObject } from 'cloudflare:workers'
import { Secret } from '../../core/secret.ts'
import type { UtcDay } from '../../core/utc-day.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { DailyTotals } from '../../stores/run-store.ts'
import { durableSql } from '../../stores/sqlite/durable-sql.ts'
import { migrate } from '../../stores/sqlite/migrate.ts'
import { sqliteStores } from '../../stores/sqlite/stores.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { directoryOf, type Env, type ObjectState, SITE_HEADER, type SiteCalls } from './bindings.ts'
import { objectApp, openSubmitParts } from './open-site.ts'
import { ownSite } from './own-site.ts'
import { openSiteRuns, type SiteRuns } from './site-runs.ts'
import { surroundingsOrThrow } from './surroundings.ts'

interface OpenedSite {
  readonly stores: SubmitStores
  readonly runs: SiteRuns
  readonly app: HttpApp
}

/** One site: its ledger, quota, leases, runs and alerts, on the same SQLite code as the server's. */
export class SiteRunner extends DurableObject<Env, ObjectState> implements SiteCalls {
  #opened: Promise<OpenedSite> | undefined

  async fetch(request: Request): Promise<Response> {
    const { app } = await this.#open(request.headers.get(SITE_HEADER) ?? '')
    return app.fetch(request)
  }

  async poke(siteId: string, dueAt: number): Promise<void> {
    const { runs } = await this.#open(siteId)
    await runs.runScheduled(dueAt)
    await runs.checkAlerts()
  }

  async hasRun(siteId: string, runId: string): Promise<boolean> {
    const { stores } = await this.#open(siteId)
    return (await stores.runs.get(runId)) !== undefined
  }

  async daily(siteId: string, days: readonly UtcDay[]): Promise<readonly DailyTotals[]> {
    const { stores } = await this.#open(siteId)
    return stores.runs.daily(days, siteId)
  }

  async alarm(): Promise<void> {
    // An alarm does not say whose it is.
    const siteId = await this.ctx.storage.get<string>(NAME)
    if (siteId === undefined) return
    const { runs } = await this.#open(siteId)
    await runs.ring()
  }

  #open(siteId: string): Promise<OpenedSite> {
    this.#opened ??= open(siteId, this.ctx, this.env).catch((error: unknown) => {
      this.#opened = undefined
      throw error
    })
    return this.#opened
  }
}

const NAME = 'site'

async function open(siteId: string, { storage }: ObjectState, env: Env): Promise<OpenedSite> {
  const around = surroundingsOrThrow(env)
  const { clock, random } = around
  const directory = directoryOf(env)
  const rows = { read: 0, written: 0 }
  const sql = durableSql(storage, ({ read, written }) => {
    rows.read += read
    rows.written += written
  })
  migrate(sql, clock.now())
  if ((await storage.get<string>(NAME)) !== siteId) await storage.put(NAME, siteId)
  const local = sqliteStores({ sql, clock, random })
  const stores = { ...local, sites: ownSite(siteId, { directory, forget: local.sites.remove }) }
  const parts = openSubmitParts(stores, new Secret(await directory.masterKey()), around)
  const runs = openSiteRuns({ siteId, storage, stores, parts, rows: () => ({ ...rows }) }, around)
  return { stores, runs, app: objectApp({ stores, runner: runs, parts }, around) }
}
