import type { JsonObject } from '../../core/json.ts'
import type { Candidate, NoteKey } from '../candidate-store.ts'
import { execMetaOf } from '../exec-meta.ts'
import type { Origin } from '../outbox-store.ts'
import type { CandidateRow } from './candidate-row.ts'
import { LIMIT, orUndefined, type Sql } from './sql.ts'

export interface Claimant {
  readonly sql: Sql
  readonly executionId: string
  readonly now: number
  readonly origin: Origin
}

/** What a claim does not know of a candidate before. */
type ClaimedRow = Omit<CandidateRow, 'status' | 'processingLock' | 'lockedAt' | 'execMeta'>

const CLAIMED = `position, platform, note_id as noteId, note_url as noteUrl, retry_count as retryCount,
  source_keyword as sourceKeyword, last_error_code as lastErrorCode`

const LOCK_OLDEST = `
  update tbl_candidate set status = 'processing', processing_lock = ?, locked_at = ?, exec_meta = ?
  where position in (
    select position from tbl_candidate where status = 'pending' order by position ${LIMIT})
  returning ${CLAIMED}`

/** Inside a transaction: locks up to so many that are pending, oldest first. */
export function claimOldest(claimant: Claimant, batchSize: number): readonly Candidate[] {
  const { sql, executionId, now, origin } = claimant
  const execMeta = execMetaOf(executionId, origin)
  const rows = sql
    .all<ClaimedRow>(LOCK_OLDEST, executionId, now, JSON.stringify(execMeta), batchSize)
    .sort((a, b) => a.position - b.position)
  return claimed(claimant, execMeta, rows)
}

const LOCK_ONE = `
  update tbl_candidate set status = 'processing', processing_lock = ?, locked_at = ?, exec_meta = ?
  where platform = ? and note_id = ? and status in ('pending', 'failed') returning ${CLAIMED}`

/** Inside a transaction: locks these, as far as nobody holds them and they are not collected. */
export function claimThese(claimant: Claimant, keys: readonly NoteKey[]): readonly Candidate[] {
  const { sql, executionId, now, origin } = claimant
  const execMeta = execMetaOf(executionId, origin)
  const text = JSON.stringify(execMeta)
  const rows = keys.flatMap(({ platform, noteId }) =>
    sql.all<ClaimedRow>(LOCK_ONE, executionId, now, text, platform, noteId),
  )
  return claimed(claimant, execMeta, rows)
}

const REMEMBER = 'insert into execution_claim (execution_id, positions) values (?, ?)'

/** Remembers for whoever ends the execution what it was given here. */
function claimed(
  { sql, executionId, now }: Claimant,
  execMeta: JsonObject,
  rows: readonly ClaimedRow[],
): readonly Candidate[] {
  if (rows.length === 0) return []
  sql.run(REMEMBER, executionId, JSON.stringify(rows.map(({ position }) => position)))
  return rows.map((row) => ({
    platform: row.platform,
    noteId: row.noteId,
    noteUrl: row.noteUrl,
    status: 'processing',
    processingLock: executionId,
    lockedAt: now,
    retryCount: row.retryCount,
    sourceKeyword: orUndefined(row.sourceKeyword),
    lastErrorCode: orUndefined(row.lastErrorCode),
    execMeta,
  }))
}
