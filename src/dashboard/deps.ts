import type { Result } from '../core/result.ts'
import type { SiteMissing } from '../stores/site-store.ts'
import type { CollectStores, SubmitStores } from '../stores/stores.ts'
import type { ToldReceiver } from '../alerts/test-alert.ts'
import type { DoctorReport } from '../submit/doctor/finding.ts'
import type { PlannedRun } from '../submit/plan-run.ts'
import type { Runner } from '../submit/runner.ts'
import type { SiteUnusable } from '../submit/sealed-settings.ts'
import type { SitesOptions } from '../submit/sites.ts'
import type { PageDeps } from './page.ts'
import type { CookieKeeping } from '../collect/cookies/keeping.ts'

export type Planner = (
  siteId: string,
  signal: AbortSignal,
) => Promise<Result<PlannedRun, SiteMissing | SiteUnusable>>

/** What the pages show and what their buttons do. What a place cannot do is absent, and so is its button. */
export interface DashboardDeps extends PageDeps {
  readonly stores: SubmitStores
  readonly sites: SitesOptions
  readonly runner: Runner
  readonly nextRunAt?: (now: number) => number | undefined
  readonly examine?: (siteId: string, signal: AbortSignal) => Promise<DoctorReport>
  /** What a run would send now. */
  readonly plan?: Planner | undefined
  readonly testAlert?: () => Promise<readonly ToldReceiver[]>
  readonly collect?: CollectDeps
}

/** The collect side, where there is one. */
export interface CollectDeps {
  readonly stores: Omit<CollectStores, 'alerts'>
  readonly keeping: CookieKeeping
  /** Silence after which an execution has lost its lock. */
  readonly lockTimeoutMs: number
  /** Names of those that are on. */
  readonly platforms: readonly string[]
}
