import type { AlertState } from '../core/alert.ts'
import { quotaRemaining } from '../core/quota.ts'
import { type UtcDay, utcDayOf, utcDaysUntil } from '../core/utc-day.ts'
import type { DailyTotals, Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import { knownBingLimit } from '../submit/bing-status.ts'
import { asTheyAre } from '../submit/shown-run.ts'
import { type ShownSite, shownSite } from '../submit/sites.ts'
import type { SiteDefaults } from '../submit/site-settings.ts'

export const DAYS_SHOWN = 30

/** What the card of a site shows. */
export interface SiteNumbers {
  readonly site: ShownSite
  readonly current: Run | undefined
  /** The newest run that is over. */
  readonly last: Run | undefined
  readonly daily: readonly DailyTotals[]
  /** `unknown`: Bing tells it at the next run. */
  readonly bingLeft: number | 'off' | 'unknown'
}

export interface NumbersOptions {
  readonly stores: SubmitStores
  readonly defaults: SiteDefaults
  readonly now: number
}

export async function overviewNumbers(options: NumbersOptions): Promise<readonly SiteNumbers[]> {
  const records = await options.stores.sites.list()
  return Promise.all(
    records.map((record) => numbersOf(shownSite(record, options.defaults), options)),
  )
}

export async function numbersOf(site: ShownSite, options: NumbersOptions): Promise<SiteNumbers> {
  const { stores, now } = options
  const [runs, daily] = await Promise.all([
    stores.runs.list(site.id, 2).then((kept) => asTheyAre(kept, stores)),
    stores.runs.daily(daysShown(now), site.id),
  ])
  const current = runs.find(({ status }) => status === 'running')
  const last = runs.find(({ status }) => status !== 'running')
  return { site, current, last, daily, bingLeft: await bingLeftOf(site, last, options) }
}

export const daysShown = (now: number): UtcDay[] => utcDaysUntil(utcDayOf(now), DAYS_SHOWN)

async function bingLeftOf(
  site: ShownSite,
  last: Run | undefined,
  { stores, now }: NumbersOptions,
): Promise<SiteNumbers['bingLeft']> {
  if (!site.bingEnabled) return 'off'
  const limit = knownBingLimit(site.bingDailyQuota, last)
  if (limit === undefined) return 'unknown'
  const account = { channel: 'bing', siteId: site.id, day: utcDayOf(now) }
  return quotaRemaining({ ...(await stores.quota.use(account)), limit })
}

export interface Totals {
  readonly total: number
  readonly successful: number
}

/** At IndexNow alone: what Bing did not take is mostly what its quota left for another day. */
export function totalsOf(daily: readonly DailyTotals[]): Totals {
  return daily.reduce(
    ({ total, successful }, { indexnow }) => ({
      total: total + indexnow.total,
      successful: successful + indexnow.successful,
    }),
    { total: 0, successful: 0 },
  )
}

/** Firing ones, the most severe first. */
export async function firingAlerts({
  alerts,
}: Pick<SubmitStores, 'alerts'>): Promise<readonly AlertState[]> {
  const all = await alerts.list()
  return all
    .filter(({ status }) => status === 'firing')
    .toSorted((a, b) => a.severity.localeCompare(b.severity) || b.since - a.since)
}
