import type { Result } from '../core/result.ts'
import type { Origin } from './outbox-store.ts'

export type ExecutionStatus = 'running' | 'completed' | 'failed' | 'timeout'

/** One run of a workflow; while it is running it is the workflow's lock. */
export interface Execution {
  readonly workflowName: string
  readonly executionId: string
  readonly status: ExecutionStatus
  readonly startedAt: number
  readonly heartbeatAt: number
  readonly completedAt: number | undefined
  readonly itemsProcessed: number
  readonly itemsFailed: number
  /** Grows by one with every execution of the workflow. */
  readonly fence: number
}

export type ExecutionTaken = {
  readonly kind: 'execution-taken'
  readonly holder: string
  readonly heartbeatAt: number
}
/** The execution is unknown, has ended or was timed out: nothing it writes is taken any more. */
export type LockLost = { readonly kind: 'lock-lost'; readonly executionId: string }

export interface ExecutionAsk {
  readonly workflowName: string
  /** Never used before. */
  readonly executionId: string
  readonly timeoutMs: number
}

/** Of workflows that write the mirror. Mirrored themselves they would make work for themselves, for ever. */
const OF_THE_MIRROR = 'mirror:'

export const isMirrored = ({ workflowName }: Pick<Execution, 'workflowName'>) =>
  !workflowName.startsWith(OF_THE_MIRROR)

/**
 * Each call is atomic; starts and ends are written to the outbox in the same transaction (but for workflows that write
 * the mirror: `isMirrored`), heartbeats are not.
 * Two running executions of one workflow are impossible, not merely avoided.
 */
export interface ExecutionStore {
  /** Of any number at once exactly one starts. Whoever was silent for `timeoutMs` is timed out first. */
  acquire(ask: ExecutionAsk, origin: Origin): Promise<Result<Execution, ExecutionTaken>>
  heartbeat(executionId: string): Promise<Result<Execution, LockLost>>
  /** Ends the execution and frees the candidates it still held: as a failed attempt only when it failed itself. */
  finish(
    executionId: string,
    status: 'completed' | 'failed',
    origin: Origin,
  ): Promise<Result<Execution, LockLost>>
  get(executionId: string): Promise<Execution | undefined>
  /** Newest first. */
  list(limit: number): Promise<readonly Execution[]>
}
