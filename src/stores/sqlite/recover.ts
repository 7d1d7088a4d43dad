import { MAX_ATTEMPTS, type Recovered } from '../candidate-store.ts'
import { CLOCK_SET_BACK_MS } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { CANDIDATE, type CandidateRow, mirroredCandidate } from './candidate-row.ts'
import { EXECUTION, executionOf, type ExecutionRow } from './execution-row.ts'
import { mirroredExecutions } from '../mirrored-execution.ts'
import type { Mirror } from './mirror.ts'
import { orNull, type Sql } from './sql.ts'

interface Sweep {
  readonly sql: Sql
  readonly mirror: Mirror
  readonly now: number
  readonly timeoutMs: number
  readonly origin: Origin
}

/** Inside a transaction: times out the silent and frees what they held. */
export function sweep({ sql, mirror, now, timeoutMs, origin }: Sweep): Recovered {
  sql.run(
    `update tbl_crawl_execution set heartbeat_at = ? where status = 'running' and heartbeat_at > ?`,
    now,
    now + CLOCK_SET_BACK_MS,
  )
  const timedOut = sql
    .all<ExecutionRow>(
      `update tbl_crawl_execution set status = 'timeout', completed_at = ?
       where status = 'running' and heartbeat_at <= ? returning ${EXECUTION}`,
      now,
      now - timeoutMs,
    )
    .map(executionOf)
  mirror.rows(mirroredExecutions(timedOut), origin)
  const freed = releaseCandidates({ sql, mirror, origin, attempt: { errorCode: 'TIMEOUT_ERROR' } })
  return {
    executionsTimedOut: timedOut.length,
    recordsReleased: freed.filter(({ status }) => status === 'pending').length,
    recordsFailed: freed.filter(({ status }) => status === 'failed').length,
  }
}

interface Release {
  readonly sql: Sql
  readonly mirror: Mirror
  readonly origin: Origin
  /** Where the execution's end counts as a failed attempt at each candidate. */
  readonly attempt: { readonly errorCode: string } | undefined
}

const RUNNING = `(select execution_id from tbl_crawl_execution where status = 'running')`

/** Inside a transaction: frees every candidate whose execution is not running any more. */
export function releaseCandidates({ sql, mirror, origin, attempt }: Release): CandidateRow[] {
  const lost = attempt ? 1 : 0
  const freed = sql.all<CandidateRow>(
    `update tbl_candidate set processing_lock = null, locked_at = null, retry_count = retry_count + ?,
       status = case when retry_count + ? >= ? then 'failed' else 'pending' end,
       last_error_code = coalesce(?, last_error_code)
     where position in (
         select claimed.value from execution_claim, json_each(positions) claimed where execution_id not in ${RUNNING})
       and processing_lock is not null and processing_lock not in ${RUNNING}
     returning ${CANDIDATE}`,
    lost,
    lost,
    MAX_ATTEMPTS,
    orNull(attempt?.errorCode),
  )
  sql.run(`delete from execution_claim where execution_id not in ${RUNNING}`)
  mirror.rows(freed.map(mirroredCandidate), origin)
  return freed
}
