import type { ChannelReport, Settled } from './channels/channel.ts'
import { checkKeyFile } from './channels/indexnow/key.ts'
import { submitToEngine } from './channels/indexnow/submit.ts'
import { hashesOf, settleOutcomes } from './settle-outcomes.ts'
import { type SplitSettled, withSettled } from './settled-before.ts'
import type { Site } from './site.ts'
import { rulesOf, type SiteRun } from './site-run.ts'
import { openUrlTally } from './url-tally.ts'

/** What is due at one engine of the site. */
export interface EngineWork {
  readonly engine: string
  /** In the site's ledger. */
  readonly number: number
  readonly total: number
  readonly urls: AsyncIterable<readonly string[]> | Iterable<readonly string[]>
}

/** What earlier slices of the run did. */
export interface EarlierSlices {
  readonly split: SplitSettled
  readonly reports: readonly ChannelReport[]
}

/** Sends to every engine at once; what one does changes nothing for another (SPEC S23). */
export async function sendToIndexNow(
  run: SiteRun,
  work: readonly EngineWork[],
  slices?: EarlierSlices,
): Promise<readonly ChannelReport[]> {
  const { site, deps, progress } = run
  const urlTally = openUrlTally(work.length)
  const outcomes = await Promise.allSettled(
    work.map(async ({ engine, number, total, urls: due }) => {
      const live = openLiveCounts(run, engine, total)
      const earlier = slices?.reports.find((report) => report.engine === engine)
      const settledBefore: Settled[] = []
      const urls = slices
        ? passOver(due, (chunk) => {
            const { settled, unsettled } = slices.split(chunk, number)
            for (const part of settled) {
              settledBefore.push(part)
              urlTally.settled(hashesOf(part.urls), isAccepted(part))
              live.settled(part)
            }
            return unsettled
          })
        : due
      if (earlier && earlier.stopped !== 'budget') {
        for await (const _ of urls) continue
        return earlier
      }
      const settle = async (settled: Settled) => {
        const now = deps.clock.now()
        const { ledger, deletions } = run
        const options = { engine: number, ledger, now, ...(deletions && { deletions }) }
        const hashes = await settleOutcomes(settled, options)
        urlTally.settled(hashes, isAccepted(settled))
        live.settled(settled)
        run.failedUrls?.settled(engine, settled, now)
        progress.count({ submitted: urlTally.submitted(), failed: urlTally.failed() })
        await progress.show()
      }
      const report = await submitToEngine(
        {
          engine,
          host: site.host,
          key: site.apiKey,
          keyLocation: site.keyLocation,
          mode: site.submitMode,
          urls,
          total,
        },
        {
          http: deps.http,
          clock: deps.clock,
          log: run.log,
          pace: deps.paceOf(site),
          budget: run.budget,
          signal: run.signal,
          rules: { ...rulesOf(run), maxInFlight: placesOf(site, work.length) },
          settle,
        },
      )
      if (report.stopped === undefined) run.failedUrls?.sentAll(engine)
      return slices ? withSettled(report, { settled: settledBefore, earlier }) : report
    }),
  )
  // All are over before a bug of one ends the run: none goes on sending behind its back.
  const reports = outcomes.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason
    return outcome.value
  })
  for (const report of reports) recordReport(run, report)
  return reports
}

async function* passOver(
  chunks: EngineWork['urls'],
  unsettledOf: (urls: readonly string[]) => readonly string[],
) {
  for await (const urls of chunks) yield unsettledOf(urls)
}

/** An engine that hangs holds its own places and not those of the others. */
function placesOf({ maxConcurrentRequests }: Site, engines: number): number {
  return Math.max(1, Math.floor(maxConcurrentRequests / engines))
}

/**
 * SPEC S21: a warning with the address to open, not a stop: the engine has the last word. Looked at in every run, also
 * when nothing is due: what was missing yesterday may be missing still.
 */
export async function warnOfKeyFile({
  site,
  deps,
  signal,
  progress,
  log,
  budget,
}: SiteRun): Promise<void> {
  budget.take('subrequests')
  const checked = await checkKeyFile({
    key: site.apiKey,
    keyLocation: site.keyLocation,
    http: deps.http,
    timeoutMs: KEY_FILE_TIMEOUT_MS,
    signal,
  })
  if (checked.ok || signal.aborted) return
  progress.warning(checked.failure.message)
  log.warn('indexnow.key_file', checked.failure.message, { problem: checked.failure.kind })
}

const KEY_FILE_TIMEOUT_MS = 10_000

function isAccepted({ state }: Settled): boolean {
  return state === 'accepted' || state === 'pending'
}

/** What the run's record shows of an engine before its report is there. */
function openLiveCounts({ progress }: SiteRun, engine: string, total: number) {
  const counts = { engine, total, successful: 0, failed: 0, pending: 0, averageMs: 0 }
  progress.engine({ ...counts })
  return {
    settled(settled: Settled) {
      if (isAccepted(settled)) counts.successful += settled.urls.length
      else counts.failed += settled.urls.length
      if (settled.state === 'pending') counts.pending += settled.urls.length
      progress.engine({ ...counts })
    },
  }
}

function recordReport({ progress, log }: SiteRun, report: ChannelReport): void {
  const { engine, total, successful, failed, pending, averageMs, rateLimited } = report
  const counts = { engine, total, successful, failed, pending, averageMs }
  progress.engine({ ...counts, ...(rateLimited > 0 && { rateLimited }) })
  for (const message of report.errors) progress.error(message)
  for (const message of report.warnings) progress.warning(message)
  log.info('indexnow.engine_done', `${engine}: ${successful} of ${total} accepted`, {
    engine,
    total,
    successful,
    failed,
    pending,
    left: report.left,
    requests: report.requests,
    averageMs,
    ...(report.stopped && { stopped: report.stopped }),
  })
}
