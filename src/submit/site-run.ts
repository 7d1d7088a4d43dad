import type { Budget } from '../core/budget.ts'
import type { Clock } from '../core/clock.ts'
import type { HttpClient } from '../core/http.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import type { RateLimit } from '../core/rate-limit.ts'
import type { SubmitStores } from '../stores/stores.ts'
import type { SendingRules } from './channels/channel.ts'
import type { FailedUrls } from './failed-urls.ts'
import type { RunProgress } from './run-progress.ts'
import type { Site } from './site.ts'
import type { SiteLedger } from './site-ledger.ts'
import type { Gunzip } from './sitemap/gunzip.ts'

export type ChannelChoice = 'all' | 'indexnow' | 'bing'

/** The server's part of what a run needs; the site's part is in `Site`. */
export interface RunSettings {
  readonly runBudgetMs: number
  readonly rateLimitWaitMs: number
  readonly retryBaseMs: number
  readonly sitemapRetryMs: number
  readonly sitemapTimeoutMs: number
  readonly bingApiUrl: string
}

export interface RunDeps {
  readonly stores: SubmitStores
  readonly http: HttpClient
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly gunzip: Gunzip
  readonly settings: RunSettings
  /** One per site, for all that is sent for it. */
  readonly paceOf: (site: Site) => RateLimit
}

/** One invocation's part of a run, where a run takes several: what it may use, and what those before it used. */
export interface Slice {
  readonly budget: Budget
  readonly usedMs: number
}

/** One run of one site, while it lasts. */
export interface SiteRun {
  readonly id: string
  readonly site: Site
  readonly channel: ChannelChoice
  readonly startedAt: number
  readonly fence: number
  readonly ledger: SiteLedger
  readonly deps: RunDeps
  readonly log: Log
  readonly budget: Budget
  /** Where this is only a part of the run. */
  readonly slice?: Slice
  /** Aborts at shutdown and when the lease is lost. */
  readonly signal: AbortSignal
  readonly progress: RunProgress
  /** Where what fails is listed; a hook lists nothing. */
  readonly failedUrls?: FailedUrls
  /** Those of its URLs that are sent because they are gone; a hook sends none. */
  readonly deletions?: ReadonlySet<string>
}

export function sendsTo(
  run: Pick<SiteRun, 'channel' | 'site'>,
  channel: 'indexnow' | 'bing',
): boolean {
  if (run.channel !== 'all' && run.channel !== channel) return false
  return channel === 'indexnow' || run.site.bing !== undefined
}

/** Whether this part is over, and the run is not: then it is time to save. What ends a run ends it here as anywhere. */
export function isToBeContinued({ slice, signal, deps }: SiteRun): boolean {
  if (!slice || signal.aborted || slice.budget.exhausted() === undefined) return false
  return slice.usedMs + slice.budget.used().timeMs < deps.settings.runBudgetMs
}

export function rulesOf({ site, deps }: SiteRun): SendingRules {
  const { settings } = deps
  return {
    requestTimeoutMs: REQUEST_TIMEOUT_MS,
    maxInFlight: site.maxConcurrentRequests,
    maxRetries: site.maxRetries,
    retryBaseMs: settings.retryBaseMs,
    rateLimitWaitMs: settings.rateLimitWaitMs,
  }
}

/** Engines answer within a second; one that takes longer than this does not answer. */
const REQUEST_TIMEOUT_MS = 30_000
