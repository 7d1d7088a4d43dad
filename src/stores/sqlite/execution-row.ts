import type { Execution } from '../execution-store.ts'
import { orUndefined } from './sql.ts'

export type ExecutionRow = Omit<Execution, 'completedAt'> & { readonly completedAt: number | null }

export const EXECUTION = `workflow_name as workflowName, execution_id as executionId, status,
  started_at as startedAt, heartbeat_at as heartbeatAt, completed_at as completedAt,
  items_processed as itemsProcessed, items_failed as itemsFailed, fence`

export function executionOf(row: ExecutionRow): Execution {
  return { ...row, completedAt: orUndefined(row.completedAt) }
}
