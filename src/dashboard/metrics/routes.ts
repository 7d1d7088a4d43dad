import { z } from 'zod'
import type { Clock } from '../../core/clock.ts'
import { DURATION_BOUNDS_MS, type RequestMeter } from '../../core/request-meter.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { addOperation } from '../../http/operation.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import type { SiteDefaults } from '../../submit/site-settings.ts'
import { collectMetrics, type CollectSources } from './collect-metrics.ts'
import { exposition, EXPOSITION_TYPE, type Family, type HistogramFamily } from './exposition.ts'
import { submitMetrics } from './submit-metrics.ts'

const METRICS = {
  methods: ['get'],
  path: '/metrics',
  access: 'read',
  subject: 'About',
  summary: 'Numbers for Prometheus',
  // Scrapers may be told to add parameters of their own.
  query: z.object({}),
  status: 200,
  media: 'text/plain',
  answer: {},
} as const

export interface MetricsOptions {
  readonly clock: Clock
  readonly version: string
  readonly startedAt: number
  /** Each source that is absent is left out. */
  readonly submit?: { readonly stores: SubmitStores; readonly defaults: SiteDefaults }
  readonly collect?: CollectSources
  readonly requests?: RequestMeter
  /** What only this place knows, such as what a run used of a Worker's limits. */
  readonly further?: () => Promise<readonly Family[]>
}

/** SPEC X05. */
export function metricsRoutes(options: MetricsOptions): RouteModule {
  const { clock, submit, collect, requests, further } = options
  return (app) => {
    addOperation(app, METRICS, async (c) => {
      const now = clock.now()
      const families = [
        ...aboutMetrics(options),
        ...(submit ? await submitMetrics({ ...submit, now }) : []),
        ...(collect ? await collectMetrics(collect, now) : []),
        ...(requests ? [requestDurations(requests)] : []),
        ...(further ? await further() : []),
      ]
      return c.body(exposition(families), 200, { 'Content-Type': EXPOSITION_TYPE })
    })
  }
}

function aboutMetrics({ version, startedAt }: MetricsOptions): readonly Family[] {
  return [
    {
      name: 'sluice_build_info',
      help: 'Which version runs.',
      type: 'gauge',
      samples: [{ labels: { version }, value: 1 }],
    },
    {
      name: 'sluice_start_timestamp_seconds',
      help: 'When this process began.',
      type: 'gauge',
      samples: [{ value: startedAt / 1_000 }],
    },
  ]
}

function requestDurations(requests: RequestMeter): HistogramFamily {
  return {
    name: 'sluice_request_duration_seconds',
    help: 'Outgoing requests of this process, until the head of the answer.',
    type: 'histogram',
    samples: requests.times().map(({ host, outcome, atMost, sumMs, count }) => ({
      labels: { host, outcome },
      buckets: DURATION_BOUNDS_MS.map((bound, i) => [bound / 1_000, atMost[i] ?? 0] as const),
      sum: sumMs / 1_000,
      count,
    })),
  }
}
