import type { JsonObject } from '../../core/json.ts'
import { candidateKeyOf } from '../candidate-key.ts'
import type { Candidate, NoteKey } from '../candidate-store.ts'
import type { ToldRow } from '../outbox-store.ts'
import { orUndefined, type Sql } from './sql.ts'

export interface CandidateRow {
  readonly position: number
  readonly platform: string
  readonly noteId: string
  readonly noteUrl: string
  readonly status: Candidate['status']
  readonly processingLock: string | null
  readonly lockedAt: number | null
  readonly retryCount: number
  readonly sourceKeyword: string | null
  readonly lastErrorCode: string | null
  readonly execMeta: string
}

export const CANDIDATE = `position, platform, note_id as noteId, note_url as noteUrl, status,
  processing_lock as processingLock, locked_at as lockedAt, retry_count as retryCount,
  source_keyword as sourceKeyword, last_error_code as lastErrorCode, exec_meta as execMeta`

export function candidateOf(row: CandidateRow): Candidate {
  return {
    platform: row.platform,
    noteId: row.noteId,
    noteUrl: row.noteUrl,
    status: row.status,
    retryCount: row.retryCount,
    processingLock: orUndefined(row.processingLock),
    lockedAt: orUndefined(row.lockedAt),
    sourceKeyword: orUndefined(row.sourceKeyword),
    lastErrorCode: orUndefined(row.lastErrorCode),
    execMeta: JSON.parse(row.execMeta),
  }
}

export function mirroredCandidate(row: CandidateRow): ToldRow {
  return {
    table: 'tbl_candidate',
    key: candidateKeyOf(row),
    fields: fieldsOf(row),
  }
}

/** What the mirror is told of a candidate. */
export function candidateFields(sql: Sql, key: NoteKey): JsonObject | undefined {
  const [row] = candidatesAt(sql, key)
  return row && fieldsOf(row)
}

/** The one, or none. */
export function candidatesAt(sql: Sql, { platform, noteId }: NoteKey): CandidateRow[] {
  return sql.all<CandidateRow>(
    `select ${CANDIDATE} from tbl_candidate where platform = ? and note_id = ?`,
    platform,
    noteId,
  )
}

function fieldsOf(row: CandidateRow): JsonObject {
  return {
    note_id: row.noteId,
    platform: row.platform,
    note_url: row.noteUrl,
    status: row.status,
    processing_lock: row.processingLock,
    locked_at: row.lockedAt,
    retry_count: row.retryCount,
    source_keyword: row.sourceKeyword,
    last_error_code: row.lastErrorCode,
    exec_meta: JSON.parse(row.execMeta),
  }
}
