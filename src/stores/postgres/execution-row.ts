import type { Execution } from '../execution-store.ts'
import { orUndefined } from './sql.ts'

export type ExecutionRow = Omit<Execution, 'completedAt'> & { readonly completedAt: number | null }

/** Of `tbl_crawl_execution e`. What a running execution has done so far is in the tally. */
export const EXECUTION = `e.workflow_name as "workflowName", e.execution_id as "executionId", e.status,
  e.started_at as "startedAt", e.heartbeat_at as "heartbeatAt", e.completed_at as "completedAt",
  e.items_processed + ${tallied('processed')} as "itemsProcessed",
  e.items_failed + ${tallied('failed')} as "itemsFailed", e.fence`

function tallied(column: 'processed' | 'failed'): string {
  return `(select coalesce(sum(t.${column}), 0)::bigint from execution_tally t where t.execution_id = e.execution_id)`
}

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, completedAt: orUndefined(row.completedAt) }
}
