import { fail, type Result } from '../../../core/result.ts'
import { doubling, every, retry, type RetryPolicy } from '../../../core/retry.ts'
import type { Sending } from '../channel.ts'
import type { EngineTally } from '../engine-tally.ts'
import type { BingApi } from './api.ts'
import { RATE_LIMIT_RETRIES } from './limits.ts'
import { type BingFailure, meaningOf, printableMessage } from './replies.ts'

export interface Ask {
  readonly api: BingApi
  readonly urls: readonly string[]
  readonly batch: number
  readonly sending: Sending
  readonly tally: EngineTally
}

export interface Asked {
  readonly result: Result<void, BingFailure>
  readonly status: number
  /** One of the tries may have been counted, whatever the last one says. */
  readonly mayHaveCounted: boolean
}

type Tried = BingFailure & { readonly retryable: boolean }

/** Sends one batch, with its retries, and tells what the last answer means. Spends nothing: it is spent already. */
export async function askBing({ api, urls, batch, sending, tally }: Ask): Promise<Asked> {
  const { clock, log, signal } = sending
  let tries = 0
  let status = 0
  let mayHaveCounted = false
  let last: Tried | undefined

  const attempt = async (): Promise<Result<void, Tried>> => {
    const reply = await api.submit(urls)
    const { result, ms } = reply
    // The run ended during the wait: what is known is what the try before it came to.
    if (ms === undefined && last) return fail({ ...last, retryable: false })
    tries++
    status = reply.status
    if (ms !== undefined) {
      tally.request(ms, status)
      log.info('bing.batch', `Bing batch ${batch}: ${urls.length} URLs, ${status}, ${ms} ms`, {
        batch,
        count: urls.length,
        status,
        ms,
      })
    }
    if (result.ok) return result
    const { counted, retry: again } = meaningOf(result.failure)
    mayHaveCounted ||= counted === 'unknown'
    last = { ...result.failure, retryable: again !== 'never' }
    return fail(last)
  }
  const result = await retry(attempt, {
    policy: (failure) => policyFor(failure, tries, sending),
    clock,
    signal,
    onRetry: ({ failure, number, of, waitMs }) =>
      log.warn('bing.retry', `retry ${number}/${of}`, {
        batch,
        waitMs,
        status: failure.status,
        errorCode: failure.errorCode,
        message: printableMessage(failure),
      }),
  })
  return { result, status, mayHaveCounted }
}

const NO_RETRY: RetryPolicy = { delaysMs: [] }

/** A wait that the run's budget does not cover is not begun. */
function policyFor(failure: Tried, tries: number, { rules, budget }: Sending): RetryPolicy {
  const { maxRetries, rateLimitWaitMs, retryBaseMs } = rules
  const policy =
    meaningOf(failure).retry === 'rate-limit'
      ? every(rateLimitWaitMs, Math.min(maxRetries, RATE_LIMIT_RETRIES))
      : doubling(retryBaseMs, maxRetries)
  const waitMs = failure.retryAfterMs ?? policy.delaysMs[tries - 1] ?? 0
  return waitMs < budget.left('timeMs') ? policy : NO_RETRY
}
