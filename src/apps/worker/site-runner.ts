import { DurableObject } from 'cloudflare:workers'
import { Secret } from '../../core/secret.ts'
import type { UtcDay } from '../../core/utc-day.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { DailyTotals } from '../../stores/run-store.ts'
import { glancesOver } from '../../stores/site-glance.ts'
import { durableSql } from '../../stores/sqlite/durable-sql.ts'
import { migrate } from '../../stores/sqlite/migrate.ts'
import { sqliteStores } from '../../stores/sqlite/stores.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { directoryOf, type Env, type ObjectState, SITE_HEADER, type SiteCalls } from './bindings.ts'
import { objectApp, openSubmitParts } from './open-site.ts'
import { ownSite } from './own-site.ts'
import { reportOf } from './site-report.ts'
import { openSiteRuns, type SiteRuns, USED } from './site-runs.ts'
import type { SliceUse } from './slice-use.ts'
import { type Surroundings, surroundingsOrThrow } from './surroundings.ts'
import { workerPages } from './worker-pages.ts'

interface OpenedSite {
  readonly stores: SubmitStores
  readonly runs: SiteRuns
  readonly app: HttpApp
  /** Tells the directory how the site is, if that has changed since it was last told. */
  report(): Promise<void>
}

/** Looking changes nothing; a run may be started by looking, too. */
const ONLY_LOOKS = ['GET', 'HEAD']

/** One site: its ledger, quota, leases, runs and alerts, on the same SQLite code as the server's. */
export class SiteRunner extends DurableObject<Env, ObjectState> implements SiteCalls {
  #opened: Promise<OpenedSite> | undefined

  async fetch(request: Request): Promise<Response> {
    const { app, report } = await this.#open(request.headers.get(SITE_HEADER) ?? '')
    const isTrigger = URL.parse(request.url)?.pathname === '/trigger'
    const response = await app.fetch(request)
    if (isTrigger || !ONLY_LOOKS.includes(request.method)) await report()
    return response
  }

  async poke(siteId: string, dueAt: number): Promise<void> {
    const { runs, stores, report } = await this.#open(siteId)
    const newest = async () => {
      const [run] = await stores.runs.list(siteId, 1)
      const [message] = await stores.alerts.messages(1)
      return `${run?.id} ${run?.status} ${message?.id} ${message?.deliveredAt}`
    }
    const before = await newest()
    await runs.runScheduled(dueAt)
    await runs.checkAlerts()
    const isKnown = (await this.ctx.storage.get<boolean>(REPORTED)) === true
    if (!isKnown || (await newest()) !== before) await report()
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
    const { runs, report } = await this.#open(siteId)
    await runs.ring()
    await report()
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
/** Whether the directory has ever been told of the site. */
const REPORTED = 'reported'

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
  const sites = ownSite(siteId, { directory, forget: local.sites.remove })
  const stores = { ...local, sites, glances: glancesOver({ ...local, sites }) }
  const parts = openSubmitParts(stores, new Secret(await directory.masterKey()), around)
  const runs = openSiteRuns({ siteId, storage, stores, parts, rows: () => ({ ...rows }) }, around)
  const more = workerPages({ stores, runner: runs, parts }, around)
  return {
    stores,
    runs,
    app: objectApp({ stores, runner: runs, parts, more }, around),
    report: openReporting({ siteId, storage, stores, env }, around),
  }
}

/** Never fails: the pages about all sites are then a little behind, and the next report mends it. */
function openReporting(
  {
    siteId,
    storage,
    stores,
    env,
  }: {
    readonly siteId: string
    readonly storage: ObjectState['storage']
    readonly stores: SubmitStores
    readonly env: Env
  },
  { clock, log }: Surroundings,
): () => Promise<void> {
  let told = ''
  return async () => {
    try {
      const used = await storage.get<SliceUse>(USED)
      const report = await reportOf(siteId, stores, { now: clock.now(), used })
      const text = JSON.stringify(report)
      if (text === told) return
      await directoryOf(env).report(siteId, report)
      if (told === '') await storage.put(REPORTED, true)
      told = text
    } catch (error) {
      log.warn('site.not_reported', 'The directory could not be told how the site is.', {
        site: siteId,
        error,
      })
    }
  }
}
