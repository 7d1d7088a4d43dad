import { openBudget } from '../core/budget.ts'
import { openBingQuota } from './channels/bing/quota.ts'
import { noteBreakdown } from './breakdown.ts'
import { findDeletedPages } from './deleted-pages.ts'
import { bingWork, dueWork, indexNowBits } from './due-work.ts'
import { type EngineNumbers, numberEngines } from './engine-numbers.ts'
import { readSite, type SiteReading } from './read-site.ts'
import { openRunProgress } from './run-progress.ts'
import type { RunAsk } from './run-site.ts'
import { warnOfKeyFile } from './send-indexnow.ts'
import { openSiteLedger } from './site-ledger.ts'
import { type RunDeps, sendsTo, type SiteRun } from './site-run.ts'
import type { FinishedRun } from '../stores/run-store.ts'

/** What a run would do now. */
export interface PlannedRun {
  /** As the record of the run would begin: nothing is submitted yet. */
  readonly run: FinishedRun
  /** Each once, in the order in which they would be sent. */
  readonly urls: readonly string[]
}

/**
 * A dry run: reads and chooses as a run does, and sends nothing to any engine. It notes in the ledger what it finds to be
 * due, as a run does too: `deps.stores` must be a copy that is thrown away.
 */
export async function planRun(ask: Omit<RunAsk, 'trigger'>, deps: RunDeps): Promise<PlannedRun> {
  const run = openPlan(ask, deps)
  const urls = new Set<string>()
  let reading: SiteReading | undefined
  let broken = false
  try {
    const engines = await numberEngines(run.site, run.ledger)
    const read = await readSite(run, engines, sendsTo(run, 'bing') ? await bingQuotaLeft(run) : 0)
    if (read === 'paused') throw new Error('A plan has no slices.')
    reading = read
    if (run.site.submitDeleted) {
      run.progress.count({ deleted: await findDeletedPages(run, indexNowBits(run, engines)) })
    }
    if (sendsTo(run, 'indexnow')) await planIndexNow(run, engines, urls)
    if (sendsTo(run, 'bing')) await planBing(run, bingWork(reading, engines), urls)
  } catch (error) {
    noteBreakdown(run, error)
    broken = true
  }
  const status = statusOf(run, { reading, broken })
  const finished = { ...run.progress.current(), status, finishedAt: deps.clock.now() }
  return { run: finished, urls: [...urls] }
}

async function planIndexNow(
  run: SiteRun,
  engines: EngineNumbers,
  urls: Set<string>,
): Promise<void> {
  await warnOfKeyFile(run)
  for (const { engine, total, urls: due } of await dueWork(run, engines)) {
    run.progress.engine({ engine, total, successful: 0, failed: 0, pending: 0, averageMs: 0 })
    for await (const chunk of due) for (const url of chunk) urls.add(url)
  }
}

async function planBing(
  run: SiteRun,
  work: ReturnType<typeof bingWork>,
  urls: Set<string>,
): Promise<void> {
  const quota = quotaOf(run)
  for (const url of work.urls) urls.add(url)
  run.progress.bing({
    total: work.urls.length,
    successful: 0,
    failed: 0,
    quotaUsed: await quota.used(),
    quotaRemaining: await quota.remaining(),
  })
}

const bingQuotaLeft = (run: SiteRun) => quotaOf(run).remaining()

/** Without anybody to ask: where the quota is Bing's to tell, the usual one is assumed. */
function quotaOf({ site, startedAt, deps }: SiteRun) {
  const { clock, stores } = deps
  const limit = site.bing?.dailyQuota ?? 0
  return openBingQuota({
    siteId: site.id,
    limit,
    runStartedAt: startedAt,
    store: stores.quota,
    clock,
  })
}

function openPlan({ id, site, channel, signal }: Omit<RunAsk, 'trigger'>, deps: RunDeps): SiteRun {
  const { clock, stores, settings } = deps
  const startedAt = clock.now()
  const identity = { id, siteId: site.id, trigger: 'dry-run', startedAt }
  return {
    id,
    site,
    channel,
    startedAt,
    deps,
    signal,
    // The copy may hold the work of many runs: none of them goes on in it.
    fence: Number.MAX_SAFE_INTEGER,
    ledger: openSiteLedger(stores.ledger, site.id, Number.MAX_SAFE_INTEGER),
    log: deps.log.with({ runId: id, site: site.id }),
    budget: openBudget({ timeMs: settings.runBudgetMs }, clock),
    progress: openRunProgress({ ...identity, runs: stores.runs, clock }),
  }
}

function statusOf(
  { signal }: SiteRun,
  { reading, broken }: { readonly reading: SiteReading | undefined; readonly broken: boolean },
): FinishedRun['status'] {
  if (signal.aborted) return 'interrupted'
  if (broken || reading === undefined || reading.failed) return 'failed'
  return reading.complete ? 'succeeded' : 'partial'
}
