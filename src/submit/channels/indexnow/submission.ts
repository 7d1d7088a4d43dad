import { printableUrl } from '../../../core/redact.ts'
import type { ChannelReport, Sending, Settled, StopReason } from '../channel.ts'
import { openEngineTally } from '../engine-tally.ts'
import { type AskEngine, openEngine } from './ask.ts'
import { MAX_FRUITLESS_REJECTIONS, UNAVAILABLE_IN_A_ROW } from './limits.ts'
import type { Reply } from './replies.ts'
import type { IndexNowTarget } from './request.ts'

export interface SubmissionOptions {
  readonly target: IndexNowTarget
  readonly by: 'get' | 'post'
  readonly total: number
}

/** Sending to one engine, while it lasts. */
export interface Submission {
  readonly target: IndexNowTarget
  readonly sending: Sending
  readonly ask: AskEngine
  /** Whether nothing more is to be sent. */
  isOver(): boolean
  /** Whether the engine has accepted anything in this run. */
  hasAccepted(): boolean
  /** Writes down what the answer means for these URLs; some answers are the end of the submission. */
  settle(urls: readonly string[], reply: Reply): Promise<void>
  /** For URLs that the end came before: `failed`, to go first next time, where the engine is to blame. */
  giveUp(urls: readonly string[]): Promise<'failed' | 'left'>
  /** After a batch: an engine that rejects whatever it gets does not mean the URLs. */
  stopIfFruitless(): void
  /** Where nothing was accepted, what was rejected has only failed: a wrong key looks the same as wrong URLs. */
  finish(): Promise<ChannelReport>
}

/** After these the rest was meant to be sent and could not: it counts as failed, with the status that says why. */
const ENGINE_IS_TO_BLAME: ReadonlySet<StopReason> = new Set([
  'refused',
  'rate-limited',
  'unavailable',
])

export function openSubmission(options: SubmissionOptions, sending: Sending): Submission {
  const { target, by, total } = options
  const { budget, signal, log } = sending
  const tally = openEngineTally(target.engine, total)
  const halt = new AbortController()
  const halted = AbortSignal.any([signal, halt.signal])
  let stopped: { readonly reason: StopReason; readonly statusCode: number } | undefined
  let unavailable = 0
  let accepted = 0
  let rejections = 0
  let rejectedWith = 0
  const doubtful: Omit<Settled, 'state'>[] = []

  const stop = (reason: StopReason, statusCode = 0) => {
    stopped ??= { reason, statusCode }
    halt.abort()
  }
  const isOver = () => {
    if (signal.aborted) stop('signal')
    else if (budget.exhausted()) stop('budget')
    return halted.aborted
  }
  const write = async (settled: Settled) => {
    try {
      await sending.settle(settled)
    } catch (error) {
      // What cannot be written down must not be sent.
      halt.abort()
      throw error
    }
    tally.settled(settled)
  }
  const isFruitless = () => accepted === 0 && rejections > MAX_FRUITLESS_REJECTIONS
  const reject = (urls: readonly string[], statusCode: number) => {
    rejectedWith = statusCode
    // A batch that was not searched to its end: good URLs are among them.
    if (urls.length > 1) return write({ urls, state: 'failed', statusCode })
    rejections++
    const url = printableUrl(urls[0] ?? '')
    const fields = { engine: target.engine, status: statusCode, url }
    log.warn('indexnow.rejected', `${target.engine} rejects ${url}`, fields)
    if (accepted > 0) return write({ urls, state: 'rejected', statusCode })
    doubtful.push({ urls, statusCode })
    return undefined
  }
  /** What was rejected before anything was accepted: only then is it known whether it was the URLs. */
  const settleDoubtful = async (state: 'rejected' | 'failed') => {
    for (const { urls, statusCode } of doubtful.splice(0)) await write({ urls, state, statusCode })
  }

  return {
    target,
    sending,
    ask: openEngine({ target, by, sending, tally, halted }),
    isOver,
    hasAccepted: () => accepted > 0,
    async settle(urls, { verdict, statusCode, advice }) {
      unavailable = verdict.kind === 'unavailable' ? unavailable + 1 : 0
      if (advice && verdict.kind === 'unverified') tally.warning(advice)
      else if (advice) tally.error(advice)
      switch (verdict.kind) {
        case 'accepted':
        case 'pending':
          accepted += urls.length
          await write({ urls, state: verdict.kind, statusCode })
          return settleDoubtful('rejected')
        case 'rejected':
          return reject(urls, statusCode)
        case 'unavailable':
          if (unavailable >= UNAVAILABLE_IN_A_ROW) stop('unavailable', statusCode)
          return write({ urls, state: 'failed', statusCode })
        case 'refused':
        case 'rate-limited':
          stop(verdict.kind, statusCode)
          return write({ urls, state: 'failed', statusCode })
        case 'unverified':
          return stop('unverified', statusCode)
        case 'interrupted':
          return undefined
      }
    },
    async giveUp(urls) {
      if (urls.length === 0 || !isOver() || signal.aborted) return 'left'
      if (!stopped || !ENGINE_IS_TO_BLAME.has(stopped.reason)) return 'left'
      await write({ urls, state: 'failed', statusCode: stopped.statusCode })
      return 'failed'
    },
    stopIfFruitless() {
      if (!isFruitless()) return
      tally.error(
        `${target.engine} rejected every URL it got, so it is hardly the URLs that are wrong. Check that the site's host, its key and the key file belong together; the next run sends again.`,
      )
      stop('refused', rejectedWith)
    },
    async finish() {
      await settleDoubtful('failed')
      return tally.report(stopped?.reason)
    },
  }
}
