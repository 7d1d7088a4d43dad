import type { Clock } from './clock.ts'
import { days, seconds } from './duration.ts'
import type { Result } from './result.ts'

export interface RetryPolicy {
  /** Wait before the 1st, 2nd, … retry; its length is the number of retries. */
  readonly delaysMs: readonly number[]
}

/** What a failure must tell for `retry` to decide. A `replies.ts` table fills it in, never a call site. */
export interface Retryable {
  readonly retryable: boolean
  /** How long the other side asked us to wait, when it said so; goes before the policy's own delay. */
  readonly retryAfterMs?: number
}

/** `1 s, 2 s, 4 s`: each wait is twice the one before. */
export function doubling(firstMs: number, retries: number): RetryPolicy {
  return { delaysMs: Array.from({ length: retries }, (_, n) => firstMs * 2 ** n) }
}

export function every(delayMs: number, retries: number): RetryPolicy {
  return { delaysMs: Array.from({ length: retries }, () => delayMs) }
}

/** SPEC C13: what a collect client waits between tries. */
export const BACKOFF_5_15_45: RetryPolicy = { delaysMs: [seconds(5), seconds(15), seconds(45)] }

export interface RetryOptions<F> {
  readonly policy: RetryPolicy | ((failure: F) => RetryPolicy)
  readonly clock: Clock
  /** Ends the waiting: the last failure is given back at once. */
  readonly signal?: AbortSignal
  /** Told before each wait: `retry 1/3`. */
  readonly onRetry?: (retry: { failure: F; number: number; of: number; waitMs: number }) => void
}

/** Runs `attempt` until it succeeds, its failure is final, the policy runs out or `signal` aborts. */
export async function retry<T, F extends Retryable>(
  attempt: (number: number) => Promise<Result<T, F>>,
  { policy, clock, signal, onRetry }: RetryOptions<F>,
): Promise<Result<T, F>> {
  for (let number = 0; ; number++) {
    const result = await attempt(number)
    if (result.ok || !result.failure.retryable) return result

    const { failure } = result
    const { delaysMs } = typeof policy === 'function' ? policy(failure) : policy
    const delayMs = delaysMs[number]
    if (delayMs === undefined || signal?.aborted) return result

    const waitMs = failure.retryAfterMs ?? delayMs
    onRetry?.({ failure, number: number + 1, of: delaysMs.length, waitMs })
    await clock.sleep(waitMs, signal)
    if (signal?.aborted) return result
  }
}

/** What is done here is done daily: who asks for longer is answered by tomorrow's run. */
const LONGEST_RETRY_AFTER_MS = days(1)

const SECONDS = /^\d+(\.\d+)?$/
// `Sun, 06 Nov 1994 08:49:37 GMT` and the old `Sunday, 06-Nov-94 08:49:37 GMT`.
const DATED = /^[a-z]{3,9}, \d{2}[ -][a-z]{3}[ -](\d{4}|\d{2}) \d{2}:\d{2}:\d{2} GMT$/i
// `Sun Nov  6 08:49:37 1994`: names no zone and means GMT, which Date.parse would take as local time.
const ASCTIME = /^[a-z]{3} [a-z]{3} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/i

/**
 * How long a `Retry-After` header asks to wait, a day at most: whole or decimal seconds, or one of HTTP's three
 * date forms. A time already past is 0. Anything else is undefined, as if the header were absent.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  const askedMs = SECONDS.test(value) ? Math.ceil(seconds(Number(value))) : httpDate(value) - now
  return Number.isNaN(askedMs) ? undefined : Math.min(Math.max(0, askedMs), LONGEST_RETRY_AFTER_MS)
}

function httpDate(value: string): number {
  if (DATED.test(value)) return Date.parse(value)
  return ASCTIME.test(value) ? Date.parse(`${value} GMT`) : Number.NaN
}
