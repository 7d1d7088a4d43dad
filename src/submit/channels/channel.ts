import type { Budget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { UrlState } from '../../core/ledger/url-state.ts'
import type { Log } from '../../core/log.ts'
import type { RateLimit } from '../../core/rate-limit.ts'

/** What became of some URLs at one engine, as the ledger will remember it. */
export interface Settled {
  readonly urls: readonly string[]
  readonly state: Extract<UrlState, 'accepted' | 'pending' | 'failed' | 'rejected'>
  /** Of the answer; 0 where there was none. */
  readonly statusCode: number
}

/** SPEC S26, B03: a 429 is waited out so often, however many retries the site allows. */
export const RATE_LIMIT_RETRIES = 3

/** How long to wait, how often to try: a site's settings and the server's. */
export interface SendingRules {
  readonly requestTimeoutMs: number
  /** Of one site; a channel keeps at most so many requests waiting for their turn. */
  readonly maxInFlight: number
  readonly maxRetries: number
  readonly retryBaseMs: number
  readonly rateLimitWaitMs: number
}

/** What a channel is handed to do its work with. */
export interface Sending {
  readonly http: HttpClient
  readonly clock: Clock
  readonly log: Log
  /** The site's: shared by everything that sends for it. */
  readonly pace: RateLimit
  readonly budget: Budget
  /** Aborts when the run must stop: a shutdown, a lost lease. */
  readonly signal: AbortSignal
  readonly rules: SendingRules
  /** Durable when it returns: only then does the channel go on. */
  readonly settle: (settled: Settled) => Promise<void>
}

/** Why a channel stopped before its URLs were through. All of them stay due for the next run. */
export type StopReason =
  | 'budget'
  | 'signal'
  /** The engine refuses us: key, account, address. */
  | 'refused'
  /** The engine has taken our word but not yet checked the key. */
  | 'unverified'
  | 'rate-limited'
  | 'unavailable'
  /** Bing's allowance of the day. */
  | 'quota'

/** What came of sending to one engine. */
export interface ChannelReport {
  readonly engine: string
  /** Due for this engine in this run. */
  readonly total: number
  readonly successful: number
  /** Of `successful`: accepted before the key was verified. */
  readonly pending: number
  /** Refused, tried to the end without success, or given up with the engine. */
  readonly failed: number
  /** There was no time or no quota for them: the next run goes on with them. */
  readonly left: number
  readonly requests: number
  /** Of `requests`: answered 429. */
  readonly rateLimited: number
  readonly averageMs: number
  readonly stopped: StopReason | undefined
  /** For people: what happened, why, what to do next. Each said once. */
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}
