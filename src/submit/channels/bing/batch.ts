import type { Sending, Settled, StopReason } from '../channel.ts'
import type { EngineTally } from '../engine-tally.ts'
import { askBing } from './ask.ts'
import { MAX_SEARCH_REQUESTS, UNEXPLAINED_IN_A_ROW } from './limits.ts'
import type { Bing } from './open.ts'
import {
  type BingFailure,
  describeBingFailure,
  meaningOf,
  printableMessage,
  type Problem,
  quotaLeftIn,
  urlsNamedIn,
} from './replies.ts'

export interface Submission {
  readonly bing: Bing
  readonly sending: Sending
  readonly tally: EngineTally
  readonly settle: (settled: Settled) => Promise<void>
  /** Refusals in a row that nobody can explain. */
  unexplained: number
}

/** Sends one batch that is spent from the quota already, and settles it. Tells why no other should follow. */
export function sendBatch(
  submission: Submission,
  urls: readonly string[],
  number: number,
): Promise<StopReason | undefined> {
  const batch = { submission, number, searchesLeft: MAX_SEARCH_REQUESTS, mayHaveCounted: false }
  return sendPart(batch, urls)
}

export function runIsOver({ budget, signal }: Sending): StopReason | undefined {
  if (signal.aborted) return 'signal'
  return budget.exhausted() ? 'budget' : undefined
}

export function exhausted({ sending, bing }: Submission, failure?: BingFailure): 'quota' {
  sending.log.info('bing.quota_exhausted', 'Bing quota exhausted, skipping', {
    day: bing.quota.day,
    ...(failure && saidBy(failure)),
  })
  return 'quota'
}

interface Batch {
  readonly submission: Submission
  readonly number: number
  /** Requests still allowed to find what is wrong with it. */
  searchesLeft: number
  /** Some try of it may have been counted, and with it every URL: then nothing comes back. */
  mayHaveCounted: boolean
}

/** A batch, or what is left of it after some of its URLs were found to be wrong. */
async function sendPart(batch: Batch, urls: readonly string[]): Promise<StopReason | undefined> {
  const { submission, number } = batch
  const { bing, sending, tally } = submission
  const ask = { api: bing.api, urls, batch: number, sending, tally }
  const { result, status, mayHaveCounted } = await askBing(ask)
  batch.mayHaveCounted ||= mayHaveCounted
  if (result.ok) {
    await submission.settle({ urls, state: 'accepted', statusCode: status })
    submission.unexplained = 0
    return undefined
  }
  const { failure } = result
  const remedy = REMEDIES[failure.problem] ?? giveUp
  return remedy({ batch, urls, failure })
}

async function giveBack({ submission, mayHaveCounted }: Batch, count: number): Promise<void> {
  if (!mayHaveCounted && count > 0) await submission.bing.quota.giveBack(count)
}

interface Refused {
  readonly batch: Batch
  readonly urls: readonly string[]
  readonly failure: BingFailure
}

const REMEDIES: Partial<Record<Problem, (refused: Refused) => Promise<StopReason | undefined>>> = {
  'batch-too-big': sendWhatFits,
  'quota-used-up': endTheDay,
  'invalid-url': skipInvalid,
}

async function sendWhatFits({ batch, urls, failure }: Refused): Promise<StopReason> {
  const { submission } = batch
  const { bing, sending } = submission
  // Always fewer than before, so that it ends even if Bing contradicts itself.
  const fitting = Math.min(quotaLeftIn(failure), urls.length - 1)
  await giveBack(batch, urls.length - fitting)
  sending.log.warn('bing.batch_too_big', describeBingFailure(failure), {
    ...saidBy(failure),
    fitting,
  })
  const stopped = fitting > 0 ? await sendPart(batch, urls.slice(0, fitting)) : undefined
  if (stopped) return stopped
  await bing.quota.close()
  return exhausted(submission)
}

async function endTheDay({ batch, urls, failure }: Refused): Promise<StopReason> {
  const { submission } = batch
  await giveBack(batch, urls.length)
  await submission.bing.quota.close()
  return exhausted(submission, failure)
}

/** Those that are named, else those that are left when both halves are tried. */
async function skipInvalid(refused: Refused): Promise<StopReason | undefined> {
  const { batch, urls, failure } = refused
  const named = urls.length === 1 ? urls : urlsNamedIn(failure, urls)
  if (named.length > 0) {
    await giveBack(batch, named.length)
    await reject(refused, named)
    const isNamed = new Set(named)
    return sendParts(batch, [urls.filter((url) => !isNamed.has(url))])
  }
  batch.searchesLeft -= 2
  if (batch.searchesLeft < 0) return giveUp(refused)
  const half = Math.ceil(urls.length / 2)
  return sendParts(batch, [urls.slice(0, half), urls.slice(half)])
}

async function reject({ batch, failure }: Refused, urls: readonly string[]): Promise<void> {
  const { sending, settle, tally } = batch.submission
  await settle({ urls, state: 'rejected', statusCode: failure.status })
  tally.warning(describeBingFailure({ ...failure, message: '' }))
  sending.log.warn('bing.invalid_url', describeBingFailure(failure), { ...saidBy(failure), urls })
}

/** One after the other; what is not sent any more is given back. */
async function sendParts(
  batch: Batch,
  parts: readonly (readonly string[])[],
): Promise<StopReason | undefined> {
  let stopped: StopReason | undefined
  for (const part of parts) {
    if (part.length === 0) continue
    stopped ??= runIsOver(batch.submission.sending)
    if (stopped) await giveBack(batch, part.length)
    else stopped = await sendPart(batch, part)
  }
  return stopped
}

async function giveUp({ batch, urls, failure }: Refused): Promise<StopReason | undefined> {
  const { submission, number } = batch
  const { bing, sending, tally } = submission
  const { urls: state, stops } = meaningOf(failure)
  await giveBack(batch, urls.length)
  await bing.holds.learnFrom(failure)
  if (state === 'left') return runIsOver(sending) ?? stops
  const fields = { ...saidBy(failure), batch: number, count: urls.length }
  sending.log.error('bing.failed', describeBingFailure(failure), fields)
  tally.error(describeBingFailure(failure))
  await submission.settle({ urls, state: 'failed', statusCode: failure.status })
  if (failure.problem !== 'unexplained') return stops
  return ++submission.unexplained >= UNEXPLAINED_IN_A_ROW ? 'refused' : undefined
}

function saidBy(failure: BingFailure) {
  const { status, errorCode, problem } = failure
  return { status, errorCode, message: printableMessage(failure), problem }
}
