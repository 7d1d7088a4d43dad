import type { FinishedRun } from '../stores/run-store.ts'
import { type BingQuota, openBingQuota } from './channels/bing/quota.ts'
import { noteBreakdown } from './breakdown.ts'
import { findDeletedPages } from './deleted-pages.ts'
import { bingWork, dueWork, indexNowBits } from './due-work.ts'
import { type EngineNumbers, numberEngines } from './engine-numbers.ts'
import { beginSiteRun, type RunAsk } from './open-site-run.ts'
import { readSite, type SiteReading } from './read-site.ts'
import { statusOf } from './run-status.ts'
import { warnOfKeyFile } from './send-indexnow.ts'
import { type RunDeps, sendsTo, type SiteRun } from './site-run.ts'

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
  const run = beginSiteRun({ ...ask, trigger: 'dry-run' }, deps, AFTER_ALL_RUNS)
  const bingQuota = sendsTo(run, 'bing') ? usualBingQuota(run) : undefined
  const urls = new Set<string>()
  let reading: SiteReading | undefined
  let broken = false
  try {
    const engines = await numberEngines(run.site, run.ledger)
    const read = await readSite(run, engines, (await bingQuota?.remaining()) ?? 0)
    if (read === 'paused') throw new Error('A plan has no slices.')
    reading = read
    if (run.site.submitDeleted) {
      run.progress.count({ deleted: await findDeletedPages(run, indexNowBits(run, engines)) })
    }
    if (sendsTo(run, 'indexnow')) await planIndexNow(run, engines, urls)
    if (bingQuota) {
      const work = bingWork(reading, engines)
      for (const url of work.urls) urls.add(url)
      await planBing(run, bingQuota, work.urls.length)
    }
  } catch (error) {
    noteBreakdown(run, error)
    broken = true
  }
  const status = statusOf(run, { reports: [], reading, broken })
  const finished = { ...run.progress.current(), status, finishedAt: deps.clock.now() }
  return { run: finished, urls: [...urls] }
}

/** The copy may hold the work of many runs: none of them goes on in it. */
const AFTER_ALL_RUNS = Number.MAX_SAFE_INTEGER

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

async function planBing({ progress }: SiteRun, quota: BingQuota, total: number): Promise<void> {
  progress.bing({
    total,
    successful: 0,
    failed: 0,
    quotaUsed: await quota.used(),
    quotaRemaining: await quota.remaining(),
  })
}

/** Without anybody to ask: where the quota is Bing's to tell, the usual one is assumed. */
function usualBingQuota({ site, startedAt, deps }: SiteRun) {
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
