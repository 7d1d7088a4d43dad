import type { Log } from '../../core/log.ts'
import type { AlertStore } from '../../stores/alert-store.ts'
import { RUNS_KEPT_PER_SITE, type RunStore } from '../../stores/run-store.ts'
import type { SiteStore } from '../../stores/site-store.ts'
import { shownSite } from '../sites.ts'
import type { SiteDefaults } from '../site-settings.ts'
import { observeRun, observeSilence, recordObservations } from './observe.ts'
import type { RunFacts } from './rules.ts'

export interface WatchOptions {
  readonly alerts: AlertStore
  readonly runs: RunStore
  readonly log: Log
}

/** To be called when a run has been recorded as finished. */
export async function watchRun(
  options: WatchOptions,
  facts: Omit<RunFacts, 'earlier'>,
): Promise<void> {
  const kept = await options.runs.list(facts.site.id, RUNS_KEPT_PER_SITE)
  const earlier = kept.filter(({ id }) => id !== facts.run.id)
  await recordObservations(options, observeRun({ ...facts, earlier }))
}

export interface WatchSitesOptions extends WatchOptions {
  readonly sites: SiteStore
  readonly defaults: SiteDefaults
}

/** To be called again and again (`check-alerts` in src/schedule.ts): what does not happen calls nobody. */
export async function watchSites(options: WatchSitesOptions, now: number): Promise<void> {
  for (const record of await options.sites.list()) {
    // As it is shown: a site whose secrets do not open is silent too, and all the more to be told of.
    const site = shownSite(record, options.defaults)
    const runs = await options.runs.list(record.id, RUNS_KEPT_PER_SITE)
    const facts = { site, createdAt: record.createdAt, runs, now }
    await recordObservations(options, observeSilence(facts))
  }
}
