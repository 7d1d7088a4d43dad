import { days } from '../../core/duration.ts'
import { quotaRemaining } from '../../core/quota.ts'
import { startOfUtcDay, utcDayOf } from '../../core/utc-day.ts'
import { RUNS_KEPT_PER_SITE, type Run } from '../../stores/run-store.ts'
import type { SiteRecord } from '../../stores/site-store.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { knownBingLimit } from '../../submit/bing-status.ts'
import { asTheyAre } from '../../submit/shown-run.ts'
import { storedFields, withDefaults } from '../../submit/sealed-settings.ts'
import type { SiteDefaults, SiteSettings } from '../../submit/site-settings.ts'
import type { Family, Sample } from './exposition.ts'

export interface SubmitMetricsOptions {
  readonly stores: SubmitStores
  readonly defaults: SiteDefaults
  readonly now: number
}

/** Most sites run once a day and succeed: few of their runs need be read to know today's and the last good one. */
const FEW_RUNS = 2

/** What of a site's settings the numbers depend on: all that answers show would take longer than to read it. */
type MeasuredSite = ReturnType<typeof measuredSite>

interface SiteNumbers {
  readonly site: MeasuredSite
  readonly runs: readonly Run[]
  readonly today: readonly Run[]
}

/**
 * What the store knows of the submit side. Counters are of the current UTC day, so that they come from the store alone
 * and hold for every server that shares it: at midnight they begin anew, which Prometheus takes for a restart.
 */
export async function submitMetrics(options: SubmitMetricsOptions): Promise<readonly Family[]> {
  const { stores, defaults, now } = options
  const records = await stores.sites.list()
  const numbers = await Promise.all(
    records.map((record) => numbersOf(measuredSite(record, defaults), options)),
  )
  const [leases, alerts, undelivered] = await Promise.all([
    stores.leases.held(),
    stores.alerts.list(),
    stores.alerts.undelivered(),
  ])
  const firing = alerts.filter(({ status }) => status === 'firing')
  const running = numbers.flatMap(({ runs }) => runs.filter(({ status }) => status === 'running'))
  return [
    gauge(
      'sluice_sites',
      'Sites, by whether the schedule runs them.',
      (['enabled', 'paused'] as const).map((state) => ({
        labels: { state },
        value: numbers.filter(({ site }) => site.enabled === (state === 'enabled')).length,
      })),
    ),
    counter(
      'sluice_runs_total',
      'Runs begun on this UTC day, by how they stand.',
      numbers.flatMap(({ site, today }) => runsByStatus(site.id, today)),
    ),
    counter(
      'sluice_engine_urls_total',
      'URLs of the runs of this UTC day, by engine.',
      numbers.flatMap(({ site, today }) => urlsByEngine(site.id, today)),
    ),
    counter(
      'sluice_submissions_total',
      'Of this UTC day, publish hooks included; not accepted: failed, or left for want of quota or time.',
      await submissions(numbers, options),
    ),
    gauge(
      'sluice_engine_response_seconds',
      "An engine's average answer in the last run.",
      numbers.flatMap(({ site, runs }) => responseTimes(site.id, runs)),
    ),
    gauge(
      'sluice_last_run_timestamp_seconds',
      'When the last run began.',
      numbers.flatMap(({ site, runs: [last] }) => stamp(site.id, last?.startedAt)),
    ),
    gauge(
      'sluice_last_success_timestamp_seconds',
      'When a run last succeeded, as far as kept.',
      numbers.flatMap(({ site, runs }) => stamp(site.id, runs.find(hasSucceeded)?.finishedAt)),
    ),
    gauge(
      'sluice_bing_quota_remaining',
      "What is left of Bing's quota today.",
      await quotaLeft(numbers, options),
    ),
    gauge(
      'sluice_lease_age_seconds',
      'How long a run has held its site.',
      running.map(({ siteId, startedAt }) => ({
        labels: { site: siteId },
        value: (now - startedAt) / 1_000,
      })),
    ),
    gauge(
      'sluice_lease_expires_in_seconds',
      'When a lease is free unless it is renewed.',
      leases.map(({ name, expiresAt }) => ({
        labels: { lease: name },
        value: (expiresAt - now) / 1_000,
      })),
    ),
    gauge(
      'sluice_alerts_firing',
      'Alerts that fire, by severity.',
      (['P0', 'P1', 'P2'] as const).map((severity) => ({
        labels: { severity },
        value: firing.filter((alert) => alert.severity === severity).length,
      })),
    ),
    gauge('sluice_alert_messages_undelivered', 'Messages that no receiver took yet.', [
      { value: undelivered.length },
    ]),
  ]
}

function measuredSite(record: SiteRecord, defaults: SiteDefaults) {
  const settings = storedFields(record) as unknown as SiteSettings
  const { enabled, bingEnabled, bingDailyQuota } = withDefaults(settings, defaults)
  return { id: record.id, enabled, bingEnabled, bingDailyQuota }
}

async function numbersOf(
  site: MeasuredSite,
  { stores, now }: SubmitMetricsOptions,
): Promise<SiteNumbers> {
  const midnight = startOfUtcDay(utcDayOf(now))
  const isToday = ({ startedAt }: Run) => startedAt >= midnight && startedAt < midnight + days(1)
  const few = await stores.runs.list(site.id, FEW_RUNS)
  const oldest = few[FEW_RUNS - 1]
  const isEnough = !oldest || (!isToday(oldest) && few.some(hasSucceeded))
  const all = isEnough ? few : await stores.runs.list(site.id, RUNS_KEPT_PER_SITE)
  const runs = await asTheyAre(all, stores)
  return { site, runs, today: runs.filter(isToday) }
}

function runsByStatus(site: string, today: readonly Run[]): readonly Sample[] {
  const byStatus = Map.groupBy(today, ({ status }) => status)
  return [...byStatus].map(([status, runs]) => ({ labels: { site, status }, value: runs.length }))
}

function urlsByEngine(site: string, today: readonly Run[]): readonly Sample[] {
  const engines = Map.groupBy(
    today.flatMap((run) => run.engines),
    ({ engine }) => engine,
  )
  return [...engines].flatMap(([engine, counts]) =>
    (['successful', 'failed', 'pending'] as const).map((outcome) => ({
      labels: { site, engine, outcome },
      value: counts.reduce((sum, one) => sum + one[outcome], 0),
    })),
  )
}

async function submissions(
  numbers: readonly SiteNumbers[],
  { stores, now }: SubmitMetricsOptions,
): Promise<readonly Sample[]> {
  const day = [utcDayOf(now)]
  const all = await Promise.all(
    numbers.map(async ({ site }) => {
      const [totals] = await stores.runs.daily(day, site.id)
      return (['indexnow', 'bing'] as const).flatMap((channel) => {
        const { total = 0, successful = 0 } = totals?.[channel] ?? {}
        const labels = { site: site.id, channel }
        return [
          { labels: { ...labels, outcome: 'accepted' }, value: successful },
          { labels: { ...labels, outcome: 'not_accepted' }, value: total - successful },
        ]
      })
    }),
  )
  return all.flat()
}

function responseTimes(site: string, runs: readonly Run[]): readonly Sample[] {
  const last = runs.find(({ engines }) => engines.some(({ averageMs }) => averageMs > 0))
  return (last?.engines ?? []).map(({ engine, averageMs }) => ({
    labels: { site, engine },
    value: averageMs / 1_000,
  }))
}

async function quotaLeft(
  numbers: readonly SiteNumbers[],
  { stores, now }: SubmitMetricsOptions,
): Promise<readonly Sample[]> {
  const all = await Promise.all(
    numbers.map(async ({ site, runs }) => {
      if (!site.bingEnabled) return []
      const limit = knownBingLimit(site.bingDailyQuota, runs.find(isOver))
      if (limit === undefined) return []
      const account = { channel: 'bing', siteId: site.id, day: utcDayOf(now) }
      const value = quotaRemaining({ ...(await stores.quota.use(account)), limit })
      return [{ labels: { site: site.id }, value }]
    }),
  )
  return all.flat()
}

const hasSucceeded = ({ status }: Run) => status === 'succeeded'

const isOver = ({ status }: Run) => status !== 'running'

function stamp(site: string, instant: number | undefined): readonly Sample[] {
  return instant === undefined ? [] : [{ labels: { site }, value: instant / 1_000 }]
}

const gauge = (name: string, help: string, samples: readonly Sample[]): Family => ({
  name,
  help,
  type: 'gauge',
  samples,
})

const counter = (name: string, help: string, samples: readonly Sample[]): Family => ({
  ...gauge(name, help, samples),
  type: 'counter',
})
