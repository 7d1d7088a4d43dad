import type { SubmitMode } from '../../site.ts'
import { batchesOf } from '../batches.ts'
import type { ChannelReport, Sending } from '../channel.ts'
import { sendBatch } from './batch.ts'
import { AUTO_GET_UP_TO, GET_BATCH, MAX_URLS_PER_POST } from './limits.ts'
import type { IndexNowTarget } from './request.ts'
import { sendSingly } from './singly.ts'
import { openSubmission } from './submission.ts'

export interface IndexNowWork extends IndexNowTarget {
  readonly mode: SubmitMode
  /** Due for this engine, in the order to be sent. */
  readonly urls: AsyncIterable<readonly string[]> | Iterable<readonly string[]>
  readonly total: number
}

/** Sends what is due to one engine; what it settles is durable before the next request starts. */
export async function submitToEngine(work: IndexNowWork, sending: Sending): Promise<ChannelReport> {
  const { mode, urls, total, ...target } = work
  const by = mode === 'auto' ? (total > AUTO_GET_UP_TO ? 'post' : 'get') : mode
  const send = by === 'post' ? sendBatch : sendSingly
  const size = by === 'post' ? MAX_URLS_PER_POST : GET_BATCH
  const submission = openSubmission({ target, by, total }, sending)
  let number = 0
  for await (const batch of batchesOf(urls, size)) {
    if (submission.isOver()) {
      if ((await submission.giveUp(batch)) === 'left') break
      continue
    }
    await send(submission, batch, { number: ++number, of: Math.ceil(total / size) })
    submission.stopIfFruitless()
  }
  return submission.finish()
}
