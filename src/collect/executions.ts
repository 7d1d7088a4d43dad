import type { Random } from '../core/random.ts'
import { fail, ok, type Result } from '../core/result.ts'
import type {
  Execution,
  ExecutionStore,
  ExecutionTaken,
  LockLost,
} from '../stores/execution-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import type { ExecutionUnknown, FenceOld } from './failures.ts'

export interface ExecutionsOptions {
  readonly executions: ExecutionStore
  readonly random: Random
  /** Silence after which an execution has lost its lock (SPEC C05). */
  readonly lockTimeoutMs: number
}

/** Of any number who start a workflow at once exactly one gets it (SPEC C03). */
export function startExecution(
  { executions, random, lockTimeoutMs }: ExecutionsOptions,
  workflowName: string,
  origin: Origin,
): Promise<Result<Execution, ExecutionTaken>> {
  const executionId = `exec-${random.uuid()}`
  return executions.acquire({ workflowName, executionId, timeoutMs: lockTimeoutMs }, origin)
}

/** What a writer says of its lock. The fence may be left out: the id alone belongs to one fence for ever. */
export interface Hold {
  readonly executionId: string
  readonly fence?: number | undefined
}

export type HoldRefused = ExecutionUnknown | FenceOld | LockLost

/** Does `write` for whoever holds the lock; tells an execution that never was from one that is over. */
export async function asHolder<T>(
  executions: ExecutionStore,
  { executionId, fence }: Hold,
  write: (executionId: string) => Promise<Result<T, LockLost>>,
): Promise<Result<T, HoldRefused>> {
  if (fence !== undefined) {
    const execution = await executions.get(executionId)
    if (!execution) return fail({ kind: 'execution-unknown', executionId })
    if (execution.fence !== fence) return fail({ kind: 'fence-old', executionId })
  }
  const written = await write(executionId)
  if (written.ok) return ok(written.value)
  const known = await executions.get(executionId)
  return known ? written : fail({ kind: 'execution-unknown', executionId })
}
