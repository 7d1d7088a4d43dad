import { type Budget, openBudget } from '../core/budget.ts'
import type { Run } from '../stores/run-store.ts'
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

export interface RunStart {
  /** What it writes under. */
  readonly fence: number
  readonly startedAt: number
  readonly budget: Budget
  /** What slices before this one have come to. */
  readonly earlier?: Run | undefined
}

/** A run that begins now: all its time is before it. */
export function beginSiteRun(ask: RunAsk, deps: RunDeps, fence: number): SiteRun {
  const { clock, settings } = deps
  const budget = openBudget({ timeMs: settings.runBudgetMs }, clock)
  return openSiteRun(ask, deps, { fence, startedAt: clock.now(), budget })
}

export function openSiteRun(ask: RunAsk, deps: RunDeps, start: RunStart): SiteRun {
  const { id, site, channel, trigger, signal } = ask
  const { clock, stores } = deps
  const { fence, startedAt, budget, earlier } = start
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
    budget,
    progress: openRunProgress({
      id,
      siteId: site.id,
      trigger,
      startedAt,
      runs: stores.runs,
      clock,
      earlier,
    }),
  }
}
