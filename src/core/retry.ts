import type { Clock } from './clock.ts'
import { seconds } from './duration.ts'
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

const ASCTIME = /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/
const HTTP_DATE = /^[A-Z][a-z]+,? .*\d{2}:\d{2}:\d{2}/

/**
 * How long a `Retry-After` header asks to wait: whole or decimal seconds, or one of HTTP's three date forms.
 * A time already past is 0. Anything else is undefined, as if the header were absent.
 */
export function retryAfterMs(header: string | null | undefined, now: number): number | undefined {
  const value = header?.trim() ?? ''
  if (/^\d+(\.\d+)?$/.test(value)) return Math.ceil(seconds(Number(value)))
  if (!HTTP_DATE.test(value)) return undefined
  // The oldest form names no zone: it means GMT, but Date.parse would take it as local time.
  const date = Date.parse(ASCTIME.test(value) ? `${value} GMT` : value)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}
