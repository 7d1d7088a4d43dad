import type { Execution } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { EXECUTION, executionOf, type ExecutionRow } from './execution-row.ts'
import { mirroredExecutions } from '../mirrored-execution.ts'
import { mirror } from './outbox-store.ts'
import { json, type Sql } from './sql.ts'

export interface Ending {
  /** Locked by this transaction, and running. */
  readonly executionIds: readonly string[]
  readonly status: 'completed' | 'failed' | 'timeout'
  readonly origin: Origin
}

/** Inside a transaction: gives executions their end, with the sum of what they have done. */
export async function endExecutions(sql: Sql, ending: Ending): Promise<readonly Execution[]> {
  const { executionIds, status, origin } = ending
  if (executionIds.length === 0) return []
  const ids = json(executionIds)
  await sql.run(
    `with done as (
       delete from execution_tally
       where execution_id in (select jsonb_array_elements_text($1)) returning *
     )
     update tbl_crawl_execution e
     set items_processed = e.items_processed + sums.processed, items_failed = e.items_failed + sums.failed
     from (select execution_id, sum(processed) as processed, sum(failed) as failed
           from done group by execution_id) as sums
     where e.execution_id = sums.execution_id`,
    ids,
  )
  const rows = await sql.all<ExecutionRow>(
    `update tbl_crawl_execution e set status = $2, completed_at = sluice_now(),
       heartbeat_at = case when $2 = 'timeout' then e.heartbeat_at else sluice_now() end
     where e.execution_id in (select jsonb_array_elements_text($1)) returning ${EXECUTION}`,
    ids,
    status,
  )
  const ended = rows.map(executionOf)
  await mirror(sql, mirroredExecutions(ended), origin)
  return ended
}
