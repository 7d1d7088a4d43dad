import { openBudget } from '../core/budget.ts'
import { openRunProgress } from './run-progress.ts'
import type { Site } from './site.ts'
import { openSiteLedger } from './site-ledger.ts'
import type { ChannelChoice, RunDeps, SiteRun } from './site-run.ts'

export interface RunAsk {
  readonly id: string
  readonly site: Site
  readonly channel: ChannelChoice
  /** Who asked: `schedule`, `manual`, … */
  readonly trigger: string
  /** Aborts at shutdown. */
  readonly signal: AbortSignal
}

/** A run that begins now, with all it needs; `fence` is what it writes under. */
export function openSiteRun(ask: RunAsk, deps: RunDeps, fence: number): SiteRun {
  const { id, site, channel, trigger, signal } = ask
  const { clock, stores, settings } = deps
  const startedAt = clock.now()
  return {
    id,
    site,
    channel,
    startedAt,
    deps,
    signal,
    fence,
    ledger: openSiteLedger(stores.ledger, site.id, fence),
    log: deps.log.with({ runId: id, site: site.id }),
    budget: openBudget({ timeMs: settings.runBudgetMs }, clock),
    progress: openRunProgress({
      id,
      siteId: site.id,
      trigger,
      startedAt,
      runs: stores.runs,
      clock,
    }),
  }
}
