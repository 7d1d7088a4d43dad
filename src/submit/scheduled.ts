import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import { RUNS_KEPT_PER_SITE } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import type { Site } from './site.ts'

/** How often the run of one scheduled time is begun at most. */
const SCHEDULED_ATTEMPTS = 3

/** How far the clocks of servers that share a store may be apart. */
const CLOCKS_APART_MS = minutes(5)

/**
 * Whether the schedule has yet to run a site for the time `dueAt`. A site that was not there at the time has missed
 * nothing. A run that the server's end broke off is made up for; one that may itself have ended the server, not for ever.
 */
export async function isDueBySchedule(
  { sites, runs }: Pick<SubmitStores, 'sites' | 'runs'>,
  { site, dueAt, clock }: { readonly site: Site; readonly dueAt: number; readonly clock: Clock },
): Promise<boolean> {
  const record = await sites.get(site.id)
  if (!record || record.createdAt >= dueAt) return false
  const begun = (await runs.list(site.id, RUNS_KEPT_PER_SITE)).filter(
    // A run of the future was made by a clock that was wrong, unless only another server's is a little ahead.
    ({ trigger, startedAt }) =>
      trigger === 'schedule' && startedAt >= dueAt && startedAt <= clock.now() + CLOCKS_APART_MS,
  )
  const isThrough = begun.some(({ status }) => status !== 'interrupted' && status !== 'running')
  return !isThrough && begun.length < SCHEDULED_ATTEMPTS
}
