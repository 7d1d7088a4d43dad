import { fail, ok, type Result } from '../core/result.ts'
import type { LeaseTaken } from '../stores/lease-store.ts'
import type { FinishedRun } from '../stores/run-store.ts'
import type { RunFacts } from './alerts/rules.ts'
import type { ChannelReport } from './channels/channel.ts'
import { findDeletedPages, loadDeletions } from './deleted-pages.ts'
import { dropDueUrls } from './due-urls.ts'
import { bingWork, dueWork, indexNowBits } from './due-work.ts'
import { noteBreakdown } from './breakdown.ts'
import { numberEngines } from './engine-numbers.ts'
import { openFailedUrls } from './failed-urls.ts'
import { type HeldLease, holdLease } from '../stores/hold-lease.ts'
import { BING_ENGINE } from '../stores/ledger-store.ts'
import { leaseNameOf } from './site-lease.ts'
import { foldOutcomes } from './loaded-ledger.ts'
import { beginSiteRun, type RunAsk } from './open-site-run.ts'
import { readSite, type SiteReading } from './read-site.ts'
import { type Ending, statusOf } from './run-status.ts'
import { openRunBing, sendToBing } from './send-bing.ts'
import { type EarlierSlices, sendToIndexNow, warnOfKeyFile } from './send-indexnow.ts'
import { loadSettled } from './settled-before.ts'
import { isToBeContinued, type RunDeps, sendsTo, type SiteRun } from './site-run.ts'

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
    const run = beginSiteRun({ ...ask, signal }, deps, lease.fence)
    await run.progress.begin()
    const end = await runSite(run)
    if ('course' in end) throw new Error('A run without slices cannot be paused.')
    return end
  } finally {
    await held.release()
  }
}

/** How far a run is. */
export interface Course {
  /** Once the reading is over. */
  readonly reading: SiteReading | undefined
  /** In how many slices deleted pages were looked for. */
  readonly looks: number
  readonly hasLooked: boolean
  /** By engine; one that stopped for the budget goes on in the next slice. */
  readonly reports: readonly ChannelReport[]
}

export const BEGINNING: Course = { reading: undefined, looks: 0, hasLooked: false, reports: [] }

/** Pages that never answer as they should are not asked for ever. */
const MOST_LOOKS = 10

/**
 * One run of a site, told top to bottom. Killed anywhere, the next run goes on from what is in the store. A run in
 * slices is told again from its course each time, and what is done is passed over.
 */
export async function runSite(
  run: SiteRun,
  course = BEGINNING,
): Promise<RunEnd | { readonly course: Course }> {
  if (course === BEGINNING) logStart(run)
  let { reading, looks, hasLooked, reports } = course
  const paused = () => ({ course: { reading, looks, hasLooked, reports } })
  try {
    const engines = await numberEngines(run.site, run.ledger)
    const bing = sendsTo(run, 'bing') ? openRunBing(run) : undefined

    if (!reading) {
      const read = await readSite(run, engines, bing ? await bing.quota.remaining() : 0)
      if (read === 'paused') return paused()
      reading = read
      await run.progress.showNow()
    }
    if (run.site.submitDeleted && !hasLooked) {
      const found = await findDeletedPages(run, indexNowBits(run, engines))
      run.progress.count({ deleted: run.progress.current().deleted + found })
      hasLooked = ++looks >= MOST_LOOKS || !isToBeContinued(run)
    }
    if (isToBeContinued(run)) return paused()
    const failedUrls = await openFailedUrls({
      ledger: run.ledger,
      engines: [...run.site.searchEngines, ...(run.site.bing ? [BING_ENGINE] : [])],
      runStartedAt: run.startedAt,
    })
    const sending = { ...run, failedUrls, deletions: await loadDeletions(run) }
    if (sendsTo(run, 'indexnow')) {
      if (reports.length === 0) await warnOfKeyFile(run)
      const work = await dueWork(run, engines)
      const sent = await sendToIndexNow(sending, work, await earlierSlices(run, reports))
      reports = replaced(reports, sent)
      await failedUrls.save()
      if (isToBeContinued(run)) return paused()
    }
    if (bing) {
      const slices = await earlierSlices(run, reports)
      const report = await sendToBing(sending, bing, bingWork(reading, engines), slices)
      reports = replaced(reports, [report])
      await failedUrls.save()
      if (report.stopped === 'budget' && isToBeContinued(run)) return paused()
    }
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

function logStart({ log, site, channel, progress }: SiteRun): void {
  const { trigger } = progress.current()
  log.info('run.started', `run of ${site.id}`, { channel, trigger })
}

function replaced(
  reports: readonly ChannelReport[],
  newer: readonly ChannelReport[],
): readonly ChannelReport[] {
  const byEngine = new Map([...reports, ...newer].map((report) => [report.engine, report]))
  return [...byEngine.values()]
}

/** Without slices there is nothing before. */
async function earlierSlices(
  run: SiteRun,
  reports: readonly ChannelReport[],
): Promise<EarlierSlices | undefined> {
  return run.slice && { split: await loadSettled(run), reports }
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
