import { mapWithConcurrency } from '../../../core/concurrency.ts'
import { type BatchNumber, logBatch } from './log-batch.ts'
import type { Submission } from './submission.ts'

/** Up to 100 URLs, each in a request of its own and settled by itself. */
export async function sendSingly(
  submission: Submission,
  urls: readonly string[],
  batch: BatchNumber,
): Promise<void> {
  const { clock, rules } = submission.sending
  const startedAt = clock.now()
  const statuses = new Map<number, number>()
  const unsent: string[] = []

  const send = async (url: string) => {
    const reply = await submission.ask([url])
    if (reply.verdict.kind === 'interrupted') return void unsent.push(url)
    statuses.set(reply.statusCode, (statuses.get(reply.statusCode) ?? 0) + 1)
    await submission.settle([url], reply)
  }
  await mapWithConcurrency(urls, rules.maxInFlight, send)
  await submission.giveUp(unsent)
  const count = urls.length - unsent.length
  const ms = clock.now() - startedAt
  if (count > 0) logBatch(submission, { batch, count, status: statusOf(statuses), ms })
}

/** One status where all were alike, else how many had which. */
function statusOf(statuses: ReadonlyMap<number, number>): number | Record<string, number> {
  const [first = 0] = statuses.keys()
  return statuses.size <= 1 ? first : Object.fromEntries(statuses)
}
