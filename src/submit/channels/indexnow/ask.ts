import { fail, ok, type Result } from '../../../core/result.ts'
import { doubling, every, retry, type RetryPolicy } from '../../../core/retry.ts'
import { RATE_LIMIT_RETRIES, type Sending } from '../channel.ts'
import type { EngineTally } from '../engine-tally.ts'
import { hideKey } from './key.ts'
import { INTERRUPTED, type Reply, replyOfAnswer, replyOfFailure } from './replies.ts'
import { batchRequest, type IndexNowTarget, singleRequest } from './request.ts'

export interface AskOptions {
  readonly target: IndexNowTarget
  readonly by: 'get' | 'post'
  readonly sending: Sending
  readonly tally: EngineTally
  /** Aborts when nothing more is to be sent to this engine: waits end, what is under way is finished. */
  readonly halted: AbortSignal
}

/** What the last try came to, and how long that one took. */
export type Asked = Reply & { readonly ms: number }

/** Sends one request, with its retries. */
export type AskEngine = (urls: readonly string[]) => Promise<Asked>

export function openEngine(options: AskOptions): AskEngine {
  const { target, sending, halted } = options
  const { clock, log } = sending
  const turns = openTurns(options)

  return async (urls) => {
    let tries = 0
    const attempt = async () => {
      tries++
      return retryableOr(await turns.next(() => askOnce(options, urls)))
    }
    const result = await retry(attempt, {
      policy: (reply) => policyFor(reply, tries, sending),
      clock,
      signal: halted,
      onRetry({ failure, number, of, waitMs }) {
        if (failure.verdict.kind === 'rate-limited') turns.restFor(waitMs)
        log.warn('indexnow.retry', `retry ${number}/${of}`, {
          engine: target.engine,
          status: failure.statusCode,
          count: urls.length,
          waitMs,
          reason: failure.advice,
        })
      },
    })
    return result.ok ? result.value : result.failure
  }
}

type RetryableReply = Asked & { readonly retryable: true; readonly retryAfterMs?: number }

function retryableOr(reply: Asked): Result<Asked, RetryableReply> {
  const { verdict } = reply
  if (verdict.kind === 'unavailable') return fail({ ...reply, retryable: true })
  if (verdict.kind !== 'rate-limited') return ok(reply)
  const { retryAfterMs } = verdict
  return fail({ ...reply, retryable: true, ...(retryAfterMs !== undefined && { retryAfterMs }) })
}

const NO_RETRY: RetryPolicy = { delaysMs: [] }

/** A wait that the run's budget does not cover is not begun: better to save and let the next run send. */
function policyFor(reply: RetryableReply, tries: number, { rules, budget }: Sending): RetryPolicy {
  const policy =
    reply.verdict.kind === 'rate-limited'
      ? every(rules.rateLimitWaitMs, Math.min(rules.maxRetries, RATE_LIMIT_RETRIES))
      : doubling(rules.retryBaseMs, rules.maxRetries)
  const waitMs = reply.retryAfterMs ?? policy.delaysMs[tries - 1] ?? 0
  const isCovered = waitMs < budget.left('timeMs') && budget.left('subrequests') > 0
  return isCovered ? policy : NO_RETRY
}

interface Turns {
  /** Nobody's turn comes before `ms` have passed. */
  restFor(ms: number): void
  next(ask: () => Promise<Asked>): Promise<Asked>
}

/** The site's pace, and the engine's: "too many requests" means all of them, not only the one that is told so. */
function openTurns({ sending, halted }: AskOptions): Turns {
  const { clock, pace, budget } = sending
  let restUntil = Number.NEGATIVE_INFINITY
  const isOver = () => halted.aborted || budget.exhausted() !== undefined
  return {
    restFor(ms) {
      restUntil = Math.max(restUntil, clock.now() + ms)
    },
    async next(ask) {
      while (!isOver()) {
        const reply = await pace.run(async () => {
          // Both may have come while this one waited for its turn.
          if (isOver()) return NOT_ASKED
          return clock.now() < restUntil ? undefined : ask()
        })
        if (reply) return reply
        await clock.sleep(restUntil - clock.now(), halted)
      }
      return NOT_ASKED
    },
  }
}

const NOT_ASKED: Asked = { ...INTERRUPTED, ms: 0 }

async function askOnce(options: AskOptions, urls: readonly string[]): Promise<Asked> {
  const { sending, tally } = options
  const { clock, budget } = sending
  budget.take('subrequests')
  const startedAt = clock.now()
  const reply = await send(options, urls)
  const ms = clock.now() - startedAt
  tally.request(ms, reply.statusCode)
  return { ...reply, ms }
}

async function send({ target, by, sending }: AskOptions, urls: readonly string[]): Promise<Reply> {
  const { http, clock, rules, signal } = sending
  const prepared = by === 'get' ? singleRequest(target, urls[0] ?? '') : batchRequest(target, urls)
  const sent = await http.send({ ...prepared, timeoutMs: rules.requestTimeoutMs, signal })
  if (!sent.ok) return replyOfFailure(sent.failure)
  const body = await sent.value.text()
  const answer = {
    status: sent.value.status,
    retryAfter: sent.value.headers.get('retry-after'),
    // A text that breaks off is still an answer: its status says what became of the URLs.
    body: body.ok ? hideKey(body.value, target.key) : '',
  }
  const keyLocation = hideKey(target.keyLocation, target.key)
  return replyOfAnswer(answer, { engine: target.engine, keyLocation, now: clock.now() })
}
