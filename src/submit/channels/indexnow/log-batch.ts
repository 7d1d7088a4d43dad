import type { Submission } from './submission.ts'

export interface BatchNumber {
  readonly number: number
  readonly of: number
}

export interface SentBatch {
  readonly batch: BatchNumber
  readonly count: number
  /** How many had which, where they differ. */
  readonly status: number | Readonly<Record<string, number>>
  /** Of the answer; of all of them where it is a batch of single requests. */
  readonly ms: number
}

/** SPEC S27: number, count, engine, status, milliseconds. */
export function logBatch({ target, sending }: Submission, sent: SentBatch): void {
  const { batch, count, status, ms } = sent
  sending.log.info('indexnow.batch', `batch ${batch.number}/${batch.of}: ${count} URLs`, {
    batch: batch.number,
    of: batch.of,
    count,
    engine: target.engine,
    status,
    ms,
  })
}
