import { isExpired } from '../../core/lease.ts'
import type { Clock } from '../../core/clock.ts'
import type { UtcDay } from '../../core/utc-day.ts'
import type { DailyTotals } from '../../stores/run-store.ts'
import { glancesOver } from '../../stores/site-glance.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { SiteReport } from './site-report.ts'

export type Reports = ReadonlyMap<string, SiteReport>

export interface ReportedOptions {
  readonly local: SubmitStores
  readonly reports: Reports
  readonly clock: Clock
  /** Asks the sites themselves, for days that no report tells of. */
  readonly askSites: (days: readonly UtcDay[]) => Promise<readonly (readonly DailyTotals[])[]>
}

/** The directory's stores: which sites there are it knows itself, how they are it has been told. */
export function reportedStores({ local, reports, clock, askSites }: ReportedOptions): SubmitStores {
  const all = () => [...reports.values()]
  const reported = {
    ...local,
    runs: {
      ...local.runs,
      list: async (siteId, limit) => reports.get(siteId)?.runs.slice(0, limit) ?? [],
      get: async (id) =>
        all()
          .flatMap(({ runs }) => runs)
          .find((run) => run.id === id),
      async daily(days, siteId) {
        const told =
          siteId === undefined ? all() : all().filter((one) => one === reports.get(siteId))
        const isTold = told.every(({ daily }) => days.every((day) => hasDay(daily, day)))
        const parts =
          isTold || siteId !== undefined ? told.map(({ daily }) => daily) : await askSites(days)
        return days.map((day) => sumOf(day, parts))
      },
    },
    quota: {
      ...local.quota,
      async use({ siteId, day }) {
        const bing = reports.get(siteId)?.bing
        return bing?.day === day ? bing.use : { used: 0, closed: false, lastSpentAt: undefined }
      },
    },
    leases: {
      ...local.leases,
      held: async () =>
        all().flatMap(({ leases }) => leases.filter((lease) => !isExpired(lease, clock.now()))),
    },
    alerts: {
      ...local.alerts,
      list: async () => all().flatMap(({ alerts }) => alerts),
      undelivered: async () =>
        all().flatMap(({ messages }) =>
          messages.filter(({ deliveredAt }) => deliveredAt === undefined),
        ),
      messages: async (limit) =>
        all()
          .flatMap(({ messages }) => messages)
          .toSorted((a, b) => b.at - a.at)
          .slice(0, limit),
    },
  } satisfies SubmitStores
  return { ...reported, glances: glancesOver(reported) }
}

/** A report of an earlier day knows nothing of this one, and then nothing happened on it. */
function hasDay(daily: readonly DailyTotals[], day: UtcDay): boolean {
  const [first] = daily
  return first !== undefined && first.day <= day
}

function sumOf(day: UtcDay, parts: readonly (readonly DailyTotals[])[]): DailyTotals {
  const ofDay = parts.flatMap((daily) => daily.filter((one) => one.day === day))
  const of = (channel: 'indexnow' | 'bing') => ({
    total: ofDay.reduce((sum, one) => sum + one[channel].total, 0),
    successful: ofDay.reduce((sum, one) => sum + one[channel].successful, 0),
  })
  return { day, indexnow: of('indexnow'), bing: of('bing') }
}
