import { minutes, seconds } from '../core/duration.ts'
import type { Result } from '../core/result.ts'
import { startOfUtcDay, type UtcDay } from '../core/utc-day.ts'
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

/**
 * A heartbeat so far ahead of the clock was written before the clock was set back. Whoever sweeps takes it for one of now:
 * else a dead execution would hold its lock until the clock has caught up.
 */
export const CLOCK_SET_BACK_MS = minutes(1)

/** A heartbeat costs as much as the work it comes with, so it is written by time and not by call. */
export const HEARTBEAT_EVERY_MS = seconds(5)

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

/** What the executions that began on a day have come to. */
export interface ExecutionTotals {
  readonly day: UtcDay
  readonly executions: number
  readonly processed: number
  readonly failed: number
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
  /** One row per day and none left out, in the order of `days`. */
  daily(days: readonly UtcDay[]): Promise<readonly ExecutionTotals[]>
}

/** Where the days begin; with none there is nothing to look at. */
export function firstMomentOf(days: readonly UtcDay[]): number {
  return days.length === 0 ? Number.MAX_SAFE_INTEGER : Math.min(...days.map(startOfUtcDay))
}

/** With zeros for days on which there was none. */
export function totalsByDay(
  days: readonly UtcDay[],
  rows: readonly ExecutionTotals[],
): readonly ExecutionTotals[] {
  const known = new Map(rows.map((row) => [row.day, row]))
  return days.map((day) => known.get(day) ?? { day, executions: 0, processed: 0, failed: 0 })
}
