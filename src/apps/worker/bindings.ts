import type { Json } from '../../core/json.ts'
import type { Result } from '../../core/result.ts'
import type { UtcDay } from '../../core/utc-day.ts'
import type { DailyTotals } from '../../stores/run-store.ts'
import type { SiteChanged, SiteMissing, SiteRecord } from '../../stores/site-store.ts'
import type { KvNamespace } from '../../stores/kv/kv.ts'
import type { DurableStorage } from '../../stores/sqlite/durable-sql.ts'
import type { SiteReport } from './site-report.ts'

/** What a Durable Object is given of its own. */
export interface ObjectState {
  readonly storage: DurableStorage & {
    get<T>(name: string): Promise<T | undefined>
    put(name: string, value: unknown): Promise<void>
    delete(name: string): Promise<boolean>
    list<T>(ask: { readonly prefix: string }): Promise<Map<string, T>>
    setAlarm(at: number): Promise<void>
    deleteAlarm(): Promise<void>
  }
}

/** What the Worker and the directory ask of a site's object. Every call names the site: an object is not told its name. */
export interface SiteCalls {
  fetch(request: Request): Promise<Response>
  /** Runs the site if the schedule has not since `dueAt`, and looks after its alerts. */
  poke(siteId: string, dueAt: number): Promise<void>
  hasRun(siteId: string, runId: string): Promise<boolean>
  daily(siteId: string, days: readonly UtcDay[]): Promise<readonly DailyTotals[]>
}

/** What the Worker and the sites' objects ask of the directory. */
export interface DirectoryCalls {
  fetch(request: Request): Promise<Response>
  siteIds(): Promise<readonly string[]>
  hasIndexNowKey(key: string): Promise<boolean>
  masterKey(): Promise<string>
  getSite(id: string): Promise<SiteRecord | undefined>
  replaceSite(
    read: Pick<SiteRecord, 'id' | 'version'>,
    settings: Json,
  ): Promise<Result<SiteRecord, SiteMissing | SiteChanged>>
  removeSite(id: string): Promise<boolean>
  /** Whose run it is, if it is one of those that sites have told of. */
  siteOfRun(runId: string): Promise<string | undefined>
  /** How a site is, for the pages about all of them. */
  report(siteId: string, report: SiteReport): Promise<void>
}

interface Objects<Calls> {
  getByName(name: string): Calls
}

/** Bindings of `wrangler.jsonc`, and the variables of `src/apps/settings.ts` beside them. */
export interface Env {
  readonly SITES: Objects<SiteCalls>
  readonly DIRECTORY: Objects<DirectoryCalls>
  /** With `STORE=kv`, in the place of both. */
  readonly SLUICE_KV?: KvNamespace
  readonly [variable: string]: unknown
}

/** There is one directory. Looked up in each request: what one has of it is of no use to another. */
export function directoryOf(env: Env): DirectoryCalls {
  return env.DIRECTORY.getByName('sites')
}

/** Tells an object whose it is. Whatever a caller sends under this name is replaced. */
export const SITE_HEADER = 'x-sluice-site'
