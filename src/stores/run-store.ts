import { type UtcDay, utcDayOf } from '../core/utc-day.ts'

export type RunStatus = 'running' | 'succeeded' | 'partial' | 'failed' | 'interrupted'

export interface EngineCounts {
  readonly engine: string
  readonly total: number
  readonly successful: number
  readonly failed: number
  /** Accepted, but the key is not verified yet (HTTP 202); counted in `successful` too. */
  readonly pending: number
  readonly averageMs: number
  /** Requests that were answered "too many" (429), where there were any. */
  readonly rateLimited?: number
}

export interface BingCounts {
  readonly total: number
  readonly successful: number
  readonly failed: number
  readonly quotaUsed: number
  readonly quotaRemaining: number
  readonly rateLimited?: number
  readonly error?: string
}

/** One run of one site, with the numbers that the API shows (SPEC R04). */
export interface Run {
  readonly id: string
  readonly siteId: string
  readonly startedAt: number
  readonly finishedAt: number | undefined
  readonly status: RunStatus
  readonly trigger: string
  readonly total: number
  readonly new: number
  readonly cached: number
  readonly submitted: number
  readonly failed: number
  readonly deleted: number
  readonly invalid: number
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
  readonly engines: readonly EngineCounts[]
  readonly bing?: BingCounts
}

export type FinishedRun = Run & {
  readonly finishedAt: number
  readonly status: Exclude<RunStatus, 'running'>
}

export interface ChannelTotals {
  readonly total: number
  readonly successful: number
}

export interface DailyTotals {
  readonly day: UtcDay
  readonly indexnow: ChannelTotals
  readonly bing: ChannelTotals
}

/** What a run adds to the totals of the day it started. */
export function totalsOfRun({ startedAt, engines, bing }: Run): DailyTotals {
  return {
    day: utcDayOf(startedAt),
    indexnow: {
      total: engines.reduce((sum, { total }) => sum + total, 0),
      successful: engines.reduce((sum, { successful }) => sum + successful, 0),
    },
    bing: { total: bing?.total ?? 0, successful: bing?.successful ?? 0 },
  }
}

export const RUNS_KEPT_PER_SITE = 100

/** Each call is atomic. Runs are told apart by id; a site has at most one that is running. */
export interface RunStore {
  /**
   * Records a run as running. One of the same site that never finished was killed: it becomes `interrupted`, and what
   * it had last shown is added to the totals.
   */
  begin(run: Run): Promise<void>
  /** Replaces the numbers of a running run; does nothing once it is finished. */
  progress(run: Run): Promise<void>
  /**
   * Records the end of a run, adds it to the totals of the day it started, and forgets all but the newest
   * `RUNS_KEPT_PER_SITE`. Finishing twice counts once.
   */
  finish(run: FinishedRun): Promise<void>
  /** Adds what was submitted outside of a run to the totals of a day. */
  addTotals(siteId: string, totals: DailyTotals): Promise<void>
  get(id: string): Promise<Run | undefined>
  /** Newest first. */
  list(siteId: string, limit: number): Promise<readonly Run[]>
  /** One row per day and none left out, oldest first; totals outlive the runs they were counted from. */
  daily(days: readonly UtcDay[], siteId?: string): Promise<readonly DailyTotals[]>
}
