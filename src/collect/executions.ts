import type { Random } from '../core/random.ts'
import { fail, ok, type Result } from '../core/result.ts'
import type {
  Execution,
  ExecutionStore,
  ExecutionTaken,
  LockLost,
} from '../stores/execution-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import type { Caller } from './caller.ts'
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

/** A running execution of ours, and on whose behalf it runs. */
export interface Running {
  readonly executions: ExecutionStore
  readonly executionId: string
  readonly caller: Caller
}

/** Does `work` and gives the lock back however it ends: as failed where it threw. */
export async function withExecution<T>(running: Running, work: () => Promise<T>): Promise<T> {
  const { executions, executionId, caller } = running
  let done: T
  try {
    done = await work()
  } catch (error) {
    await finishBroken(running)
    throw error
  }
  await executions.finish(executionId, 'completed', caller)
  return done
}

/** Throws nothing: what broke the work is what its caller is to hear of. */
async function finishBroken({ executions, executionId, caller }: Running): Promise<void> {
  try {
    await executions.finish(executionId, 'failed', caller)
  } catch (error) {
    const message = `${executionId} could not be ended; its lock is free once it was silent long enough.`
    caller.log.error('collect.unfinished', message, { error })
  }
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
