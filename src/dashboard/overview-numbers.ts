import type { AlertState } from '../core/alert.ts'
import { quotaRemaining } from '../core/quota.ts'
import { type UtcDay, utcDayOf, utcDaysUntil } from '../core/utc-day.ts'
import type { DailyTotals, Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import { knownBingLimit } from '../submit/bing-status.ts'
import { asTheyAre } from '../submit/shown-run.ts'
import { type ShownSite, shownSite } from '../submit/sites.ts'
import type { SiteDefaults } from '../submit/site-settings.ts'

const DAYS_SHOWN = 30

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
  /** Made once for all sites. */
  readonly days: readonly UtcDay[]
}

/** As many as are looked at: a card costs as much as a small page. */
const PER_PAGE = 24

export interface OverviewNumbers {
  readonly numbers: readonly SiteNumbers[]
  /** From 1. */
  readonly page: number
  readonly pages: number
}

/** A page of the sites; one past the last is the last. */
export async function overviewNumbers(
  options: NumbersOptions,
  wanted: number,
): Promise<OverviewNumbers> {
  const all = await options.stores.sites.list()
  const pages = Math.max(1, Math.ceil(all.length / PER_PAGE))
  const page = Math.min(Math.max(1, wanted), pages)
  const records = all.slice((page - 1) * PER_PAGE, page * PER_PAGE)
  const numbers = await Promise.all(
    records.map((record) => numbersOf(shownSite(record, options.defaults), options)),
  )
  return { numbers, page, pages }
}

export async function numbersOf(site: ShownSite, options: NumbersOptions): Promise<SiteNumbers> {
  const { stores, days } = options
  const [runs, daily] = await Promise.all([
    stores.runs.list(site.id, 2).then((kept) => asTheyAre(kept, stores)),
    stores.runs.daily(days, site.id),
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

/** Firing ones that nobody has acknowledged, the most severe first. */
export async function openAlerts({
  alerts,
}: Pick<SubmitStores, 'alerts'>): Promise<readonly AlertState[]> {
  const all = await alerts.list()
  return all
    .filter(({ status, acknowledged }) => status === 'firing' && !acknowledged)
    .toSorted((a, b) => a.severity.localeCompare(b.severity) || b.since - a.since)
}
