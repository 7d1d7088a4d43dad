import type { Candidate } from '../candidate-store.ts'
import { orUndefined } from './sql.ts'

export interface CandidateRow {
  readonly platform: string
  readonly noteId: string
  readonly noteUrl: string
  readonly status: Candidate['status']
  readonly processingLock: string | null
  readonly lockedAt: number | null
  readonly retryCount: number
  readonly sourceKeyword: string | null
  readonly lastErrorCode: string | null
  readonly execMeta: Candidate['execMeta']
}

/** Of `c`. */
export const CANDIDATE = `c.platform, c.note_id as "noteId", c.note_url as "noteUrl", c.status,
  c.processing_lock as "processingLock", c.locked_at as "lockedAt", c.retry_count as "retryCount",
  c.source_keyword as "sourceKeyword", c.last_error_code as "lastErrorCode", c.exec_meta as "execMeta"`

/** Of `c`, which is claimed: what the claim itself did not say. */
export const CLAIMED_CANDIDATE = `c.position, c.platform, c.note_id as "noteId", c.note_url as "noteUrl",
  c.locked_at as "lockedAt", c.retry_count as "retryCount", c.source_keyword as "sourceKeyword",
  c.last_error_code as "lastErrorCode"`

/** In place of it, where there is none. */
export const NO_CANDIDATE = `null::bigint as "position", null as platform, null as "noteId", null as "noteUrl",
  null::bigint as "lockedAt", null::integer as "retryCount", null as "sourceKeyword", null as "lastErrorCode"`

/** Of `c`: its name in the mirror. No platform's name has a colon. */
export const CANDIDATE_KEY = `c.platform || ':' || c.note_id`

/** Of `c`: what the mirror is told of it. */
const CANDIDATE_FIELDS = `jsonb_build_object('note_id', c.note_id, 'platform', c.platform, 'note_url', c.note_url,
    'status', c.status, 'processing_lock', c.processing_lock, 'locked_at', c.locked_at, 'retry_count', c.retry_count,
    'source_keyword', c.source_keyword, 'last_error_code', c.last_error_code, 'exec_meta', c.exec_meta)`

/** Of `c`: the outbox's table_name, op, key and fields. */
export const MIRRORED_CANDIDATE = `'tbl_candidate', 'upsert', ${CANDIDATE_KEY}, ${CANDIDATE_FIELDS}`

/** Of `key`, a name in the mirror: platform and note_id. */
export const PARTS_OF_KEY = `split_part(key, ':', 1) as platform, substr(key, strpos(key, ':') + 1) as note_id`

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
    execMeta: row.execMeta,
  }
}
