import { onTestFinished } from 'vitest'
import { openBudget, type BudgetLimits } from '../../../src/core/budget.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { type HttpClient, httpClient } from '../../../src/core/http.ts'
import { type LogLine, openLog } from '../../../src/core/log.ts'
import { rateLimit } from '../../../src/core/rate-limit.ts'
import { Secret } from '../../../src/core/secret.ts'
import { utcDayOf } from '../../../src/core/utc-day.ts'
import type { QuotaStore } from '../../../src/stores/quota-store.ts'
import { openBing } from '../../../src/submit/channels/bing/open.ts'
import { type BingReport, submitToBing } from '../../../src/submit/channels/bing/submit.ts'
import type { Sending, SendingRules, Settled } from '../../../src/submit/channels/channel.ts'
import { begin } from '../../contracts/backend.ts'
import { sqliteBackend } from '../../support/sqlite-backend.ts'
import {
  type BingOptions as StandInOptions,
  openBing as openStandIn,
} from '../../support/stand-ins/bing.ts'

export const SITE = 'https://example.com'
export const SITE_ID = 'example.com'
/** Must never be seen anywhere but in a request. */
export const CANARY = 'c4n4ry0f4p1k3y5a1b2c3d4e5f6a7b8c9'

const RULES: SendingRules = {
  requestTimeoutMs: seconds(30),
  maxInFlight: 3,
  maxRetries: 3,
  retryBaseMs: seconds(1),
  rateLimitWaitMs: seconds(60),
}

export interface RunOptions {
  readonly urls: readonly string[]
  readonly total?: number
  readonly dailyQuota?: number | 'auto'
  readonly apiKey?: string
  readonly siteId?: string
  readonly site?: string
  readonly store?: QuotaStore
  readonly budget?: BudgetLimits
  readonly signal?: AbortSignal
  readonly rules?: Partial<SendingRules>
  /** Wraps what the run does, to break it. */
  readonly http?: (http: HttpClient) => HttpClient
  readonly settle?: (settled: Settled) => Promise<void>
}

export interface RunResult {
  readonly report: BingReport
  readonly settled: readonly Settled[]
}

/** A Bing that is strict, stores that are real, and a clock that is not. */
export async function beginBing(standInOptions: Partial<StandInOptions> = {}) {
  const begun = await begin(sqliteBackend)
  const { clock, stores } = begun
  const bing = await openStandIn({
    clock,
    apiKey: CANARY,
    sites: [{ url: SITE, dailyQuota: 100 }],
    ...standInOptions,
  })
  onTestFinished(() => bing.close())
  const lines: LogLine[] = []
  const log = openLog({ clock, level: 'debug', write: (line) => lines.push(line) })
  const accountOf = (siteId: string) => ({ channel: 'bing', siteId, day: utcDayOf(clock.now()) })

  const open = (options: Omit<RunOptions, 'urls'>) => {
    const settled: Settled[] = []
    const plain = httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate: true })
    const sending: Sending = {
      http: options.http?.(plain) ?? plain,
      clock,
      log,
      pace: rateLimit({ maxInFlight: 3, intervalMs: 100 }, clock),
      budget: openBudget(options.budget ?? { timeMs: minutes(5) }, clock),
      signal: options.signal ?? new AbortController().signal,
      rules: { ...RULES, ...options.rules },
      settle: async (outcome) => {
        await options.settle?.(outcome)
        settled.push(outcome)
      },
    }
    const desk = openBing(
      {
        siteId: options.siteId ?? SITE_ID,
        sitemapUrl: `${options.site ?? SITE}/sitemap.xml`,
        settings: {
          apiKey: new Secret(options.apiKey ?? CANARY),
          dailyQuota: options.dailyQuota ?? 100,
        },
        apiUrl: bing.apiUrl,
        runStartedAt: clock.now(),
        store: options.store ?? stores.quota,
      },
      sending,
    )
    return { desk, sending, settled }
  }

  return {
    clock,
    bing,
    lines,
    quota: stores.quota,
    another: async () => (await begun.another()).quota,
    open,
    /** What the store counts for the day of the clock. */
    used: async (siteId = SITE_ID) => stores.quota.use(accountOf(siteId)),
    alreadyUsed: (count: number) =>
      stores.quota.spend(accountOf(SITE_ID), { wanted: count, limit: count }),
    /** One run: opened, and its URLs sent. */
    submit: async ({ urls, total = urls.length, ...options }: RunOptions): Promise<RunResult> => {
      const { desk, sending, settled } = open(options)
      return { report: await submitToBing({ bing: desk, urls, total }, sending), settled }
    },
  }
}

export function pages(count: number, site = SITE): string[] {
  return Array.from({ length: count }, (_, n) => `${site}/page-${n + 1}`)
}

/** `accepted 100, failed 50`: in order, URLs that became the same together. */
export function outcomes(settled: readonly Settled[]): string[] {
  return settled.map(({ state, urls, statusCode }) => `${state} ${urls.length} (${statusCode})`)
}

export function urlsThatBecame(state: Settled['state'], settled: readonly Settled[]): string[] {
  return settled.filter((outcome) => outcome.state === state).flatMap(({ urls }) => urls)
}
