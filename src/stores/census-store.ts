import type { UtcDay } from '../core/utc-day.ts'
import type { CandidateStatus } from './candidate-store.ts'

/** How many candidates were in each state when they were last counted on a day. */
export interface Census extends Readonly<Record<CandidateStatus, number>> {
  readonly day: UtcDay
  readonly countedAt: number
}

/** By number, not by age: a clock that is wrong for a moment must not forget them all. Three times what a page shows. */
export const CENSUSES_KEPT = 90

/** Each call is atomic. */
export interface CensusStore {
  /** Takes the place of what was kept of the same day, and forgets all but the newest `CENSUSES_KEPT` days. */
  keep(census: Census): Promise<void>
  /** Those of `days` that were taken, oldest first. A day that is not among them was not counted, which is not zero. */
  list(days: readonly UtcDay[]): Promise<readonly Census[]>
}
