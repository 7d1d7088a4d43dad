import type { Clock } from '../../core/clock.ts'
import { fail, ok } from '../../core/result.ts'
import {
  MAX_ATTEMPTS,
  type CandidateStatus,
  type CandidateStore,
  type FailedItem,
  type NewCandidate,
  type NoteKey,
} from '../candidate-store.ts'
import { type Execution, HEARTBEAT_EVERY_MS } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import {
  CANDIDATE,
  candidateOf,
  type CandidateRow,
  candidatesAt,
  mirroredCandidate,
} from './candidate-row.ts'
import { claimOldest, claimThese } from './claim-candidates.ts'
import { completeNotes } from './complete-notes.ts'
import { groupCommit } from './group-commit.ts'
import { execMetaOf } from '../exec-meta.ts'
import type { Mirror } from './mirror.ts'
import { sweep } from './recover.ts'
import { first, LIMIT, orNull, type Sql } from './sql.ts'

export function sqliteCandidateStore(sql: Sql, clock: Clock, mirror: Mirror): CandidateStore {
  const together = groupCommit(sql)
  return {
    add: async (candidates, origin) =>
      sql.transaction(() => {
        const created = candidates.flatMap((candidate) => insert(sql, candidate, origin))
        mirror.rows(created.map(mirroredCandidate), origin)
        return { created: created.length, skipped: candidates.length - created.length }
      }),
    claim: (executionId, batchSize, origin) =>
      together(() => {
        const now = clock.now()
        if (!isRunning(sql, executionId, now)) return fail({ kind: 'lock-lost', executionId })
        return ok(claimOldest({ sql, executionId, now, origin }, batchSize))
      }),
    claimThese: async (executionId, keys, origin) =>
      sql.transaction(() => {
        const now = clock.now()
        if (!isRunning(sql, executionId, now)) return fail({ kind: 'lock-lost', executionId })
        return ok(claimThese({ sql, executionId, now, origin }, keys))
      }),
    complete: (executionId, notes, origin) =>
      together(() => {
        const now = clock.now()
        if (!isRunning(sql, executionId, now)) return fail({ kind: 'lock-lost', executionId })
        const execMeta = JSON.stringify(execMetaOf(executionId, origin))
        const completed = completeNotes({ sql, executionId, execMeta, now }, notes)
        const { items, written, found } = completed
        mirror.notes(written, origin)
        const collected = found.flatMap((key) => candidatesAt(sql, key))
        mirror.rows(collected.map(mirroredCandidate), origin)
        // Each once: a call that is repeated changes none.
        count(sql, executionId, { processed: written.length + found.length, failed: 0 })
        return ok(items)
      }),
    fail: (executionId, items, origin) =>
      together(() => {
        if (!isRunning(sql, executionId, clock.now()))
          return fail({ kind: 'lock-lost', executionId })
        const ask = { sql, mirror, executionId, origin }
        const outcomes = items.map((item) => failOne(ask, item))
        const failed = outcomes.filter(({ status }) => status !== 'not-held').length
        count(sql, executionId, { processed: 0, failed })
        return ok(outcomes)
      }),
    recover: async (timeoutMs, origin) =>
      sql.transaction(() => sweep({ sql, mirror, now: clock.now(), timeoutMs, origin })),
    list: async (status, limit, after) =>
      sql
        .all<CandidateRow>(
          `select ${CANDIDATE} from tbl_candidate where (? is null or status = ?)
             and (? is null or position > (
               select position from tbl_candidate where platform = ? and note_id = ?))
           order by position ${LIMIT}`,
          orNull(status),
          orNull(status),
          orNull(after?.platform),
          orNull(after?.platform),
          orNull(after?.noteId),
          limit,
        )
        .map(candidateOf),
    count: async () => ({
      pending: 0,
      processing: 0,
      collected: 0,
      failed: 0,
      ...Object.fromEntries(
        sql
          .all<{ status: CandidateStatus; count: number }>(
            'select status, count(*) as count from tbl_candidate group by status',
          )
          .map((row) => [row.status, row.count]),
      ),
    }),
  }
}

interface Ask {
  readonly sql: Sql
  readonly mirror: Mirror
  readonly executionId: string
  readonly origin: Origin
}

const INSERT = `
  insert into tbl_candidate (platform, note_id, note_url, status, retry_count, source_keyword, exec_meta)
  values (?, ?, ?, 'pending', 0, ?, ?)
  on conflict (platform, note_id) do nothing returning ${CANDIDATE}`

function insert(sql: Sql, candidate: NewCandidate, { requestId }: Origin): CandidateRow[] {
  return sql.all<CandidateRow>(
    INSERT,
    candidate.platform,
    candidate.noteId,
    candidate.noteUrl,
    orNull(candidate.sourceKeyword),
    JSON.stringify({ request_id: requestId }),
  )
}

/** Tells whether the execution may still write, and lets the asking count as a heartbeat. */
function isRunning(sql: Sql, executionId: string, now: number): boolean {
  const running = first(
    sql.all<Pick<Execution, 'heartbeatAt'>>(
      `select heartbeat_at as heartbeatAt from tbl_crawl_execution
       where execution_id = ? and status = 'running'`,
      executionId,
    ),
  )
  if (running && now - running.heartbeatAt >= HEARTBEAT_EVERY_MS) {
    sql.run(
      'update tbl_crawl_execution set heartbeat_at = ? where execution_id = ?',
      now,
      executionId,
    )
  }
  return running !== undefined
}

function failOne(ask: Ask, item: NoteKey & { readonly errorCode: string }): FailedItem {
  const { sql, mirror, executionId, origin } = ask
  const { platform, noteId, errorCode } = item
  const [row] = sql.all<CandidateRow>(
    `update tbl_candidate set processing_lock = null, locked_at = null, retry_count = retry_count + 1,
       status = case when retry_count + 1 >= ? then 'failed' else 'pending' end,
       last_error_code = ?, exec_meta = ?
     where platform = ? and note_id = ? and processing_lock = ? returning ${CANDIDATE}`,
    MAX_ATTEMPTS,
    errorCode,
    JSON.stringify(execMetaOf(executionId, origin)),
    platform,
    noteId,
    executionId,
  )
  if (!row) return { platform, noteId, status: 'not-held' }
  mirror.rows([mirroredCandidate(row)], origin)
  return { platform, noteId, status: row.status }
}

function count(
  sql: Sql,
  executionId: string,
  { processed, failed }: { processed: number; failed: number },
): void {
  sql.run(
    `update tbl_crawl_execution set items_processed = items_processed + ?, items_failed = items_failed + ?
     where execution_id = ?`,
    processed,
    failed,
    executionId,
  )
}
