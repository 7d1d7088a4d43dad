import type { Result } from '../../core/result.ts'
import type { Candidate } from '../candidate-store.ts'
import { execMetaOf } from '../exec-meta.ts'
import type { LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { candidateOf, type CandidateRow } from './candidate-row.ts'

export interface Claimant {
  readonly executionId: string
  readonly origin: Origin
}

export interface ClaimAsk extends Claimant {
  readonly batchSize: number
}

export type Claimed = Result<readonly Candidate[], LockLost>

/** What a claim has to read; the rest it has just written. */
export type ClaimedRow = Omit<CandidateRow, 'status' | 'processingLock' | 'execMeta'> & {
  readonly position: number
}

export function claimedOf(
  rows: readonly ClaimedRow[],
  { executionId, origin }: Claimant,
): readonly Candidate[] {
  const written = {
    status: 'processing',
    processingLock: executionId,
    execMeta: execMetaOf(executionId, origin),
  } as const
  return rows.map((row) => candidateOf({ ...row, ...written }))
}
