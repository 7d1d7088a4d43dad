import { fail, ok, type Result } from '../core/result.ts'
import type { LeaseTaken } from '../stores/lease-store.ts'
import type { FinishedRun } from '../stores/run-store.ts'
import type { RunFacts } from './alerts/rules.ts'
import type { ChannelReport } from './channels/channel.ts'
import { findDeletedPages } from './deleted-pages.ts'
import { dropDueUrls } from './due-urls.ts'
import { bingWork, dueWork, indexNowBits } from './due-work.ts'
import { noteBreakdown } from './breakdown.ts'
import { numberEngines } from './engine-numbers.ts'
import { type HeldLease, holdLease } from '../stores/hold-lease.ts'
import { leaseNameOf } from './site-lease.ts'
import { foldOutcomes } from './loaded-ledger.ts'
import { openSiteRun, type RunAsk } from './open-site-run.ts'
import { readSite, type SiteReading } from './read-site.ts'
import { type Ending, statusOf } from './run-status.ts'
import { openRunBing, sendToBing } from './send-bing.ts'
import { sendToIndexNow, warnOfKeyFile } from './send-indexnow.ts'
import { type RunDeps, sendsTo, type SiteRun } from './site-run.ts'

type BingKeyFact = RunFacts['bingKey']

/** What came of a run, for the record and for the alerts. */
export interface RunEnd {
  readonly run: FinishedRun
  readonly sitemap: 'whole' | 'broken' | 'not-read'
  /** What Bing made of its key in this run. */
  readonly bingKey: BingKeyFact
}

export interface StartedRun {
  readonly id: string
  /** What goes wrong is in the record; it rejects only when even that cannot be written. */
  readonly done: Promise<RunEnd>
}

/** Takes the site's lease and starts; refused while another run has it (SPEC R03). */
export async function startRun(
  ask: RunAsk,
  deps: RunDeps,
): Promise<Result<StartedRun, LeaseTaken>> {
  const { id, site, signal } = ask
  const { leases } = deps.stores
  const held = await holdLease({
    name: leaseNameOf(site.id),
    holder: id,
    leases,
    clock: deps.clock,
    signal,
  })
  return held.ok ? ok({ id, done: runUnderLease(ask, deps, held.value) }) : fail(held.failure)
}

async function runUnderLease(ask: RunAsk, deps: RunDeps, held: HeldLease): Promise<RunEnd> {
  try {
    const { lease, signal } = held
    const run = openSiteRun({ ...ask, signal }, deps, lease.fence)
    await run.progress.begin()
    return await runSite(run)
  } finally {
    await held.release()
  }
}

/** One run of a site, told top to bottom. Killed anywhere, the next run goes on from what is in the store. */
async function runSite(run: SiteRun): Promise<RunEnd> {
  run.log.info('run.started', `run of ${run.site.id}`, {
    channel: run.channel,
    trigger: run.progress.current().trigger,
  })
  const reports: ChannelReport[] = []
  let reading: SiteReading | undefined
  try {
    const engines = await numberEngines(run.site, run.ledger)
    const bing = sendsTo(run, 'bing') ? openRunBing(run) : undefined
    const bingQuota = bing ? await bing.quota.remaining() : 0

    reading = await readSite(run, engines, bingQuota)
    await run.progress.showNow()
    if (run.site.submitDeleted) {
      run.progress.count({ deleted: await findDeletedPages(run, indexNowBits(run, engines)) })
    }
    if (sendsTo(run, 'indexnow')) {
      await warnOfKeyFile(run)
      reports.push(...(await sendToIndexNow(run, await dueWork(run, engines))))
    }
    if (bing) reports.push(await sendToBing(run, bing, bingWork(reading, engines)))
    await dropDueUrls(run.ledger)
    if (!run.signal.aborted)
      await foldOutcomes(run.ledger, {
        outcomes: settledBy(reports),
        urls: run.progress.current().total,
      })
  } catch (error) {
    noteBreakdown(run, error)
    return endRun(run, { reports, reading, broken: true })
  }
  return endRun(run, { reports, reading, broken: false })
}

function settledBy(reports: readonly ChannelReport[]): number {
  return reports.reduce((sum, { successful, failed }) => sum + successful + failed, 0)
}

async function endRun(run: SiteRun, { reports, reading, broken }: Ending): Promise<RunEnd> {
  warnOfWhatIsLeft(run, reports)
  const finished = await run.progress.finish(statusOf(run, { reports, reading, broken }))
  logEnd(run, finished)
  const sitemap = reading === undefined ? 'not-read' : reading.complete ? 'whole' : 'broken'
  return { run: finished, sitemap, bingKey: bingKeyOf(run, reports) }
}

function bingKeyOf(run: SiteRun, reports: readonly ChannelReport[]): BingKeyFact {
  if (!run.site.bing) return 'not-used'
  const report = reports.find(({ engine }) => engine === 'bing')
  if (report?.stopped === 'refused') return { refused: report.errors[0] ?? 'Bing refuses the key.' }
  return report && report.successful > 0 ? 'accepted' : 'unknown'
}

/** SPEC S28: says what to change when there was not enough time. */
function warnOfWhatIsLeft({ progress, deps }: SiteRun, reports: readonly ChannelReport[]): void {
  const late = reports.filter(({ stopped }) => stopped === 'budget')
  if (late.length === 0) return
  const left = late.map(({ engine, left }) => `${left} at ${engine}`).join(', ')
  progress.warning(
    `The run used up its ${deps.settings.runBudgetMs} ms; the next goes on with what is left: ${left}. ` +
      'Raise RUN_BUDGET_MS, run more often, or use submitMode "post".',
  )
}

/** SPEC R04, under the names that operators search for. */
function logEnd({ log }: SiteRun, run: FinishedRun): void {
  const level = run.status === 'succeeded' || run.status === 'interrupted' ? 'info' : 'warn'
  const [why] = run.errors
  const reason = run.status === 'failed' && why !== undefined ? `. ${why}` : ''
  log[level](
    'run.finished',
    `${run.status}: ${run.submitted} submitted, ${run.failed} failed${reason}`,
    {
      status: run.status,
      timestamp: run.startedAt,
      total_urls: run.total,
      new_urls: run.new,
      cached_urls: run.cached,
      submitted_urls: run.submitted,
      failed_urls: run.failed,
      ms: run.finishedAt - run.startedAt,
      errors: run.errors,
      warnings: run.warnings,
    },
  )
}
