import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import type { Log } from '../core/log.ts'
import { utcDayOf } from '../core/utc-day.ts'
import type { CandidateStore } from '../stores/candidate-store.ts'
import type { CensusStore } from '../stores/census-store.ts'
import type { LeaseStore } from '../stores/lease-store.ts'

const CENSUS_LEASE = 'candidate-census'
/** Far longer than any count takes; whoever dies over one is not waited for in the next hour. */
const LEASE_MS = minutes(2)
/** How far the clocks of servers that share a store may be apart. */
const CLOCKS_APART_MS = minutes(5)

export interface CensusTaking {
  readonly candidates: Pick<CandidateStore, 'count'>
  readonly census: CensusStore
  readonly leases: LeaseStore
  /** Names this process among those that share the store. */
  readonly holder: string
  readonly clock: Clock
  readonly log: Log
}

/**
 * Counts the candidates for the time `dueAt` (`count-candidates` in src/schedule.ts). Of servers that share a store one
 * does it: whoever comes meanwhile leaves it to that one, and whoever comes later finds it done.
 */
export async function takeCensus(taking: CensusTaking, dueAt: number): Promise<void> {
  const { candidates, census, leases, holder, clock, log } = taking
  const lease = await leases.acquire({ name: CENSUS_LEASE, holder, ttlMs: LEASE_MS })
  if (!lease.ok) return
  try {
    if (await isTaken(taking, dueAt)) return
    const countedAt = clock.now()
    const counts = await candidates.count()
    await census.keep({ day: utcDayOf(countedAt), countedAt, ...counts })
    log.debug('census.taken', 'Candidates were counted by state.', { ...counts })
  } finally {
    await leases.release(lease.value)
  }
}

async function isTaken({ census, clock }: CensusTaking, dueAt: number): Promise<boolean> {
  const now = clock.now()
  const taken = await census.list([utcDayOf(dueAt), utcDayOf(now)])
  return taken.some(
    // A count of the future was made by a clock that was wrong, unless only another server's is a little ahead.
    ({ countedAt }) => countedAt >= dueAt && countedAt <= now + CLOCKS_APART_MS,
  )
}
