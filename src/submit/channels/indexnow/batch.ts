import { MAX_FRUITLESS_REQUESTS, MAX_SEARCH_REQUESTS } from './limits.ts'
import { type BatchNumber, logBatch } from './log-batch.ts'
import type { Submission } from './submission.ts'

/**
 * Up to 10,000 URLs in one request. One that is rejected is halved until the bad URLs stand alone; when that takes
 * too long, what still waits is sent as it is, and what is rejected then has failed as a whole.
 */
export async function sendBatch(
  submission: Submission,
  urls: readonly string[],
  batch: BatchNumber,
): Promise<void> {
  const waiting: (readonly string[])[] = [urls]
  const maxRequests = () =>
    submission.hasAccepted() ? MAX_SEARCH_REQUESTS : MAX_FRUITLESS_REQUESTS
  let requests = 0
  for (let part = waiting.pop(); part; part = waiting.pop()) {
    const reply = await submission.ask(part)
    if (reply.verdict.kind === 'interrupted') {
      await submission.giveUp([part, ...waiting].flat())
      return
    }
    requests++
    logBatch(submission, { batch, count: part.length, status: reply.statusCode, ms: reply.ms })
    if (reply.verdict.kind === 'rejected' && part.length > 1 && requests < maxRequests()) {
      const middle = part.length >> 1
      waiting.push(part.slice(middle), part.slice(0, middle))
    } else {
      await submission.settle(part, reply)
    }
  }
}
