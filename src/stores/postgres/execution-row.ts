import { type Execution, isMirrored } from '../execution-store.ts'
import type { MirroredRow } from './outbox-store.ts'
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

export function mirroredExecutions(executions: readonly Execution[]): MirroredRow[] {
  return executions.filter(isMirrored).map(mirroredExecution)
}

function mirroredExecution(execution: Execution): MirroredRow {
  return {
    table: 'tbl_crawl_execution',
    key: execution.executionId,
    fields: {
      workflow_name: execution.workflowName,
      execution_id: execution.executionId,
      status: execution.status,
      started_at: execution.startedAt,
      heartbeat_at: execution.heartbeatAt,
      completed_at: execution.completedAt ?? null,
      items_processed: execution.itemsProcessed,
      items_failed: execution.itemsFailed,
      fence: execution.fence,
    },
  }
}
