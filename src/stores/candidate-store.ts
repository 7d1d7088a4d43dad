import type { JsonObject } from '../core/json.ts'
import type { Result } from '../core/result.ts'
import type { LockLost } from './execution-store.ts'
import type { Origin } from './outbox-store.ts'

export type CandidateStatus = 'pending' | 'processing' | 'collected' | 'failed'

/** What names a note, everywhere. */
export interface NoteKey {
  readonly platform: string
  readonly noteId: string
}

export interface NewCandidate extends NoteKey {
  readonly noteUrl: string
  readonly sourceKeyword?: string
}

export interface Candidate extends NoteKey {
  readonly noteUrl: string
  readonly status: CandidateStatus
  /** The execution that holds it. */
  readonly processingLock: string | undefined
  readonly lockedAt: number | undefined
  readonly retryCount: number
  readonly sourceKeyword: string | undefined
  readonly lastErrorCode: string | undefined
  readonly execMeta: JsonObject
}

/** A fetched note, ready to be written once. */
export interface CollectedNote extends NoteKey {
  readonly note: JsonObject
}

export type CompletedItem = NoteKey & {
  /**
   * `skipped`: the note was there already; the candidate is collected all the same.
   * `not-held`: another execution may have it by now, so nothing was written.
   */
  readonly action: 'created' | 'skipped' | 'not-held'
}
export type FailedItem = NoteKey & { readonly status: CandidateStatus | 'not-held' }

export interface Recovered {
  readonly executionsTimedOut: number
  readonly recordsReleased: number
  readonly recordsFailed: number
}

/** After this many failed attempts a candidate is not tried again (SPEC C11). */
export const MAX_ATTEMPTS = 3

/**
 * Each call is atomic, and each change is written to the outbox in the same transaction; only a claim is not,
 * for it lasts minutes and would double what the mirror has to write.
 * Claim, complete and fail count as a heartbeat, and are refused whole once the execution is no longer running.
 */
export interface CandidateStore {
  /** A key that is known is skipped, whatever its state. */
  add(
    candidates: readonly NewCandidate[],
    origin: Origin,
  ): Promise<{ readonly created: number; readonly skipped: number }>
  /**
   * Locks up to `batchSize` pending candidates, the oldest first; one that came back may be passed over for a while by
   * claims that follow each other closely. None only where none was free. No two executions ever hold the same one.
   */
  claim(
    executionId: string,
    batchSize: number,
    origin: Origin,
  ): Promise<Result<readonly Candidate[], LockLost>>
  /** Locks exactly these, as far as nobody holds them and they are not collected: for notes that somebody brings. */
  claimThese(
    executionId: string,
    keys: readonly NoteKey[],
    origin: Origin,
  ): Promise<Result<readonly Candidate[], LockLost>>
  /** Writes each note once and marks its candidate collected. Asked again, it answers `skipped`. */
  complete(
    executionId: string,
    notes: readonly CollectedNote[],
    origin: Origin,
  ): Promise<Result<readonly CompletedItem[], LockLost>>
  /** Back to pending, or failed at the last attempt. */
  fail(
    executionId: string,
    items: readonly (NoteKey & { readonly errorCode: string })[],
    origin: Origin,
  ): Promise<Result<readonly FailedItem[], LockLost>>
  /** Times out executions silent for `timeoutMs` and frees what they held, as one failed attempt each. */
  recover(timeoutMs: number, origin: Origin): Promise<Recovered>
  /** In the order in which they came; those after one of them, where it is named. */
  list(
    status: CandidateStatus | undefined,
    limit: number,
    after?: NoteKey,
  ): Promise<readonly Candidate[]>
  count(): Promise<Readonly<Record<CandidateStatus, number>>>
}
