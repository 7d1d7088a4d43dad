import { type Execution, isMirrored } from '../execution-store.ts'
import type { MirroredRow } from './mirror.ts'
import { orUndefined } from './sql.ts'

export type ExecutionRow = Omit<Execution, 'completedAt'> & { readonly completedAt: number | null }

export const EXECUTION = `workflow_name as workflowName, execution_id as executionId, status,
  started_at as startedAt, heartbeat_at as heartbeatAt, completed_at as completedAt,
  items_processed as itemsProcessed, items_failed as itemsFailed, fence`

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
