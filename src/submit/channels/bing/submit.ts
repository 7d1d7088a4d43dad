import type { ChannelReport, Sending, StopReason } from '../channel.ts'
import { openEngineTally } from '../engine-tally.ts'
import { exhausted, runIsOver, sendBatch, type Submission } from './batch.ts'
import { MAX_URLS_PER_REQUEST } from './limits.ts'
import type { Bing } from './open.ts'

export interface BingWork {
  readonly bing: Bing
  /** In the order to be sent, chosen to fit `bing.quota.remaining()`; what is more is left. */
  readonly urls: readonly string[]
  /** Due for Bing in this run; more than `urls` where the quota does not reach. */
  readonly total: number
}

export interface BingReport extends ChannelReport {
  /** Of the day the run began: by this run and all others. */
  readonly quotaUsed: number
  readonly quotaRemaining: number
  readonly error?: string
}

/**
 * Sends what is due, 100 at a time. Each batch is spent from the quota before it is sent, once, however often it is
 * tried: it comes back only when no try can have been counted. Killed anywhere in between, too much is counted,
 * never too little.
 */
export async function submitToBing(work: BingWork, sending: Sending): Promise<BingReport> {
  const submission = openSubmission(work, sending)
  if (work.total === 0) {
    // Without quota no file is read again for Bing's sake, so that nothing due may mean that nobody looked.
    if ((await work.bing.quota.remaining()) === 0) exhausted(submission)
    return reportOf(submission, undefined)
  }
  const stopped = (await skip(submission)) ?? (await sendAll(submission, work))
  return reportOf(submission, stopped)
}

function openSubmission({ bing, total }: BingWork, sending: Sending): Submission {
  const tally = openEngineTally('bing', total)
  return {
    bing,
    sending,
    tally,
    unexplained: 0,
    settle: async (settled) => {
      await sending.settle(settled)
      tally.settled(settled)
    },
  }
}

/** Before the first request: whether there is any use in one. */
async function skip(submission: Submission): Promise<StopReason | undefined> {
  const { bing, sending, tally } = submission
  // First, since `auto` asks Bing and may learn from the answer that the key must rest.
  const remaining = await bing.quota.remaining()
  const held = await bing.holds.current()
  if (!held) return remaining === 0 ? exhausted(submission) : undefined
  sending.log.warn('bing.held', held.message)
  if (held.stops === 'refused') tally.error(held.message)
  else tally.warning(held.message)
  return held.stops
}

async function sendAll(
  submission: Submission,
  { urls, total }: BingWork,
): Promise<StopReason | undefined> {
  const { bing, sending } = submission
  let number = 0
  for (let at = 0; at < urls.length;) {
    const over = runIsOver(sending)
    if (over) return over
    const wanted = urls.slice(at, at + MAX_URLS_PER_REQUEST)
    const granted = await bing.quota.spend(wanted.length)
    if (granted === 0) return exhausted(submission)
    const stopped = await sendBatch(submission, wanted.slice(0, granted), ++number)
    if (stopped) return stopped
    at += granted
  }
  return total > urls.length ? 'quota' : undefined
}

async function reportOf(
  { bing, sending, tally }: Submission,
  stopped: StopReason | undefined,
): Promise<BingReport> {
  const [limit, quotaUsed, quotaRemaining] = await Promise.all([
    bing.quota.limit(),
    bing.quota.used(),
    bing.quota.remaining(),
  ])
  if (quotaUsed > limit) {
    const overrun = `Bing quota overrun: ${quotaUsed} of ${limit} used on ${bing.quota.day}.`
    sending.log.warn('bing.quota_overrun', overrun, { quotaUsed, limit })
    tally.warning(overrun)
  }
  for (const warning of bing.quota.warnings()) tally.warning(warning)
  const report = tally.report(stopped)
  const [error] = report.errors
  return { ...report, quotaUsed, quotaRemaining, ...(error !== undefined && { error }) }
}
