import { type Execution, isMirrored } from './execution-store.ts'
import type { ToldRow } from './outbox-store.ts'

/** What the mirror is told of executions. */
export function mirroredExecutions(executions: readonly Execution[]): ToldRow[] {
  return executions.filter(isMirrored).map(mirroredExecution)
}

function mirroredExecution(execution: Execution): ToldRow {
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
