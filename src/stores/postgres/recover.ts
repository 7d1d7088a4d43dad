import { MAX_ATTEMPTS, type CandidateStatus, type Recovered } from '../candidate-store.ts'
import { CLOCK_SET_BACK_MS } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { MIRRORED_CANDIDATE, PARTS_OF_KEY } from './candidate-row.ts'
import { endExecutions } from './end-executions.ts'
import { json, orNull, type Sql } from './sql.ts'

/** Inside a transaction: times out the silent and frees what they held. */
export async function sweep(sql: Sql, timeoutMs: number, origin: Origin): Promise<Recovered> {
  await sql.run(
    `update tbl_crawl_execution set heartbeat_at = sluice_now() where execution_id in (
       select execution_id from tbl_crawl_execution
       where status = 'running' and heartbeat_at > sluice_now() + $1::bigint
       order by execution_id for update)`,
    CLOCK_SET_BACK_MS,
  )
  const silent = await sql.all<{ executionId: string }>(
    `select execution_id as "executionId" from tbl_crawl_execution
     where status = 'running' and heartbeat_at <= sluice_now() - $1::bigint
     order by execution_id for update`,
    timeoutMs,
  )
  const executionIds = silent.map(({ executionId }) => executionId)
  const attempt = { errorCode: 'TIMEOUT_ERROR' }
  const freed = await releaseCandidates(sql, { executionIds, origin, attempt })
  const timedOut = await endExecutions(sql, { executionIds, status: 'timeout', origin })
  return {
    executionsTimedOut: timedOut.length,
    recordsReleased: freed.filter((status) => status === 'pending').length,
    recordsFailed: freed.filter((status) => status === 'failed').length,
  }
}

interface Release {
  /** To be ended by this transaction, which forgets what they have claimed. */
  readonly executionIds: readonly string[]
  readonly origin: Origin
  /** Where the execution's end counts as a failed attempt at each candidate. */
  readonly attempt: { readonly errorCode: string } | undefined
}

/** Inside a transaction: frees every candidate of executions that end, and tells their new states. */
export async function releaseCandidates(
  sql: Sql,
  { executionIds, origin, attempt }: Release,
): Promise<CandidateStatus[]> {
  if (executionIds.length === 0) return []
  const freed = await sql.all<{ status: CandidateStatus }>(
    `with keys as materialized (
       select distinct execution_id, ${PARTS_OF_KEY} from execution_tally cross join unnest(claimed) as key
       where execution_id in (select jsonb_array_elements_text($1))
     ), lost as materialized (
       select c.platform, c.note_id from tbl_candidate c join keys
         on c.platform = keys.platform and c.note_id = keys.note_id and c.processing_lock = keys.execution_id
       order by c.platform, c.note_id for update of c
     ), freed as (
       update tbl_candidate c set processing_lock = null, locked_at = null,
         retry_count = c.retry_count + $2::integer,
         status = case when c.retry_count + $2::integer >= $3::integer then 'failed' else 'pending' end,
         last_error_code = coalesce($4, c.last_error_code)
       from lost where c.platform = lost.platform and c.note_id = lost.note_id
       returning c.*
     ), mirrored as (
       insert into outbox (table_name, op, key, fields, request_id, created_at)
       select ${MIRRORED_CANDIDATE}, $5, sluice_now() from freed c order by c.position
     )
     select status from freed`,
    json(executionIds),
    attempt ? 1 : 0,
    MAX_ATTEMPTS,
    orNull(attempt?.errorCode),
    origin.requestId,
  )
  return freed.map(({ status }) => status)
}
