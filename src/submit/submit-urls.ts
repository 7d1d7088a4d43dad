import { type Budget, openBudget } from '../core/budget.ts'
import { canonicalUrl, needsEncoding, type UrlProblem } from '../core/canonical-url.ts'
import { minutes } from '../core/duration.ts'
import { openLedger } from '../core/ledger/ledger.ts'
import { ledgerSeconds } from '../core/ledger/ledger-seconds.ts'
import { totalsOfRun } from '../stores/run-store.ts'
import { BING_ENGINE } from '../stores/ledger-store.ts'
import type { ChannelReport } from './channels/channel.ts'
import { numberEngines, numberOf } from './engine-numbers.ts'
import { openSiteRun } from './open-site-run.ts'
import type { RunProgress } from './run-progress.ts'
import { openRunBing, sendToBing } from './send-bing.ts'
import { sendToIndexNow, warnOfKeyFile } from './send-indexnow.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { Site } from './site.ts'
import type { RunDeps, SiteRun } from './site-run.ts'

/** https://www.indexnow.org/faq: "wait at least 10 minutes" before the same URL is submitted again. */
const NOT_AGAIN_WITHIN_MS = minutes(10)

/** A hook writes no shards, so it needs no lease and has no fence: outcomes are taken from anybody. */
const NO_FENCE = 0

export interface InvalidUrl {
  readonly url: string
  readonly reason: string
}

export interface SubmittedUrls {
  readonly submitted: number
  /** Given twice, or accepted everywhere a moment ago. */
  readonly skipped: number
  /** Some engine did not take them, or none was asked in time: no sitemap need list them, so nobody sends them later. */
  readonly failed: number
  readonly invalid: readonly InvalidUrl[]
  readonly errors: readonly string[]
  readonly warnings: readonly string[]
}

export interface SubmitUrlsAsk {
  readonly id: string
  readonly site: Site
  readonly urls: readonly string[]
  readonly signal: AbortSignal
  /** Where one invocation may do only so much; otherwise there is as much time as for a run. */
  readonly budget?: Budget
}

/**
 * SPEC R07: a publish hook says that these pages have just changed, so they are sent at once, however lately the
 * daily run sent them. A run that goes on at the same time may at worst send one of them again.
 */
export async function submitUrls(ask: SubmitUrlsAsk, deps: RunDeps): Promise<SubmittedUrls> {
  const { valid, repeated, invalid } = sortOut(ask.urls, ask.site)
  const run = openHookRun(ask, deps)
  const { site, ledger, progress } = run
  const engines = await numberEngines(site, ledger)
  const accepted = openLedger(await ledger.load())
  const freshUntil = ledgerSeconds(run.startedAt - NOT_AGAIN_WITHIN_MS)
  const hashes = hashesOf(valid)
  const dueAt = (number: number) =>
    valid.filter((_, i) => {
      const known = accepted.lookUp(hashes[2 * i] as number, hashes[2 * i + 1] as number)
      const { state, whenSeconds = 0 } = known?.engines[number] ?? { state: 'unsent' }
      return !(state === 'accepted' || state === 'pending') || whenSeconds <= freshUntil
    })
  const workAt = (engine: string) => {
    const number = numberOf(engine, engines)
    const urls = dueAt(number)
    return { engine, number, urls, total: urls.length }
  }

  const work = site.searchEngines.map(workAt)
  const bing = openRunBing(run)
  const atBing = bing ? [workAt(BING_ENGINE)] : []
  const due = new Set(work.flatMap(({ urls }) => urls))
  progress.count({
    total: valid.length,
    new: due.size,
    cached: valid.length - due.size,
    invalid: invalid.length,
  })
  const reports = await sendToIndexNow(
    run,
    work.map((engine) => ({ ...engine, urls: [engine.urls] })),
  )
  for (const report of reports) warnOfWhatIsLeft(progress, report)
  // Nobody waits for the key file as long as all is well.
  if (reports.some(({ failed }) => failed > 0)) await warnOfKeyFile(run)
  if (bing) for (const engine of atBing) await sendToBing(run, bing, engine)

  const sent = progress.current()
  // Not kept as a run: a busy hook would drive the daily runs out of the site's history.
  await deps.stores.runs.addTotals(site.id, totalsOfRun(sent))
  const { submitted, errors, warnings } = sent
  const failed = Math.max(sent.failed, due.size - submitted)
  const skipped = repeated + valid.length - due.size
  run.log.info('hook.finished', `${submitted} submitted, ${failed} failed`, {
    submitted,
    skipped,
    failed,
    invalid: invalid.length,
    errors,
  })
  return { submitted, skipped, failed, invalid, errors, warnings }
}

function warnOfWhatIsLeft(progress: RunProgress, { engine, left, stopped }: ChannelReport): void {
  if (left === 0) return
  progress.warning(
    stopped === 'budget'
      ? `${left} URLs were not sent to ${engine}: there was no time left. Send them again in a request of their own, or use submitMode "post".`
      : `${left} URLs were not sent to ${engine}. Send them again later.`,
  )
}

function openHookRun({ id, site, signal, budget }: SubmitUrlsAsk, deps: RunDeps): SiteRun {
  const { clock, settings } = deps
  const ask = { id, site, channel: 'all', trigger: 'hook', signal } as const
  return openSiteRun(ask, deps, {
    fence: NO_FENCE,
    startedAt: clock.now(),
    budget: budget ?? openBudget({ timeMs: settings.runBudgetMs }, clock),
  })
}

interface SortedOut {
  readonly valid: readonly string[]
  readonly repeated: number
  readonly invalid: readonly InvalidUrl[]
}

function sortOut(urls: readonly string[], site: Site): SortedOut {
  const valid = new Map<string, string>()
  const invalid: InvalidUrl[] = []
  for (const url of urls) {
    const trimmed = url.trim()
    const canonical = canonicalUrl(trimmed)
    if (!canonical.ok) invalid.push({ url, reason: REASONS[canonical.failure] })
    else if (new URL(canonical.value).host !== site.host) {
      invalid.push({ url, reason: `It is not on ${site.host}.` })
    } else if (!valid.has(canonical.value)) {
      valid.set(canonical.value, needsEncoding(trimmed) ? canonical.value : trimmed)
    }
  }
  return {
    valid: [...valid.values()],
    repeated: urls.length - invalid.length - valid.size,
    invalid,
  }
}

const REASONS: Readonly<Record<UrlProblem, string>> = {
  'not-a-url': 'It is not a whole URL, such as https://example.com/page.',
  'not-http': 'Only http and https addresses can be submitted.',
  'has-credentials': 'It contains a name or a password.',
  'too-long': 'It is longer than 2,048 characters.',
}
