import type { JsonObject } from '../../core/json.ts'
import type { Candidate, NoteKey } from '../candidate-store.ts'
import type { MirroredRow } from './mirror.ts'
import { first, orUndefined, type Sql } from './sql.ts'

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

export function mirroredCandidate(row: CandidateRow): MirroredRow {
  return {
    table: 'tbl_candidate',
    key: candidateKeyOf(row),
    fields: fieldsOf(row),
  }
}

/** What the mirror is told of a candidate. */
export function candidateFields(sql: Sql, candidateKey: string): JsonObject | undefined {
  const { platform, noteId } = noteKeyOf(candidateKey)
  const row = first(
    sql.all<CandidateRow>(
      `select ${CANDIDATE} from tbl_candidate where platform = ? and note_id = ?`,
      platform,
      noteId,
    ),
  )
  return row && fieldsOf(row)
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

/** What names a candidate in the mirror. No platform's name has a colon. */
export function candidateKeyOf({ platform, noteId }: NoteKey): string {
  return `${platform}:${noteId}`
}

function noteKeyOf(candidateKey: string): NoteKey {
  const colon = candidateKey.indexOf(':')
  return { platform: candidateKey.slice(0, colon), noteId: candidateKey.slice(colon + 1) }
}
