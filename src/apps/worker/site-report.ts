import type { AlertState } from '../../core/alert.ts'
import type { Lease } from '../../core/lease.ts'
import { type UtcDay, utcDayOf, utcDaysUntil } from '../../core/utc-day.ts'
import type { AlertMessage } from '../../stores/alert-store.ts'
import type { QuotaUse } from '../../stores/quota-store.ts'
import type { DailyTotals, Run } from '../../stores/run-store.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { SliceUse } from './slice-use.ts'

const RUNS_TOLD = 10
const MESSAGES_TOLD = 20
const DAYS_TOLD = 31
/** Of each run: the site's own page has the rest. */
const COMPLAINTS_TOLD = 5

/** What the directory is told of a site, so that a page about all sites need not ask each of them. */
export interface SiteReport {
  /** Newest first. */
  readonly runs: readonly Run[]
  readonly daily: readonly DailyTotals[]
  readonly leases: readonly Lease[]
  readonly alerts: readonly AlertState[]
  readonly messages: readonly AlertMessage[]
  readonly bing: { readonly day: UtcDay; readonly use: QuotaUse }
  readonly used: SliceUse | undefined
}

export async function reportOf(
  siteId: string,
  stores: SubmitStores,
  { now, used }: { readonly now: number; readonly used: SliceUse | undefined },
): Promise<SiteReport> {
  const day = utcDayOf(now)
  const runs = await stores.runs.list(siteId, RUNS_TOLD)
  return {
    runs: runs.map((run) => ({
      ...run,
      errors: run.errors.slice(0, COMPLAINTS_TOLD),
      warnings: run.warnings.slice(0, COMPLAINTS_TOLD),
    })),
    daily: await stores.runs.daily(utcDaysUntil(day, DAYS_TOLD), siteId),
    leases: await stores.leases.held(),
    alerts: await stores.alerts.list(),
    messages: await stores.alerts.messages(MESSAGES_TOLD),
    bing: { day, use: await stores.quota.use({ channel: 'bing', siteId, day }) },
    used,
  }
}
