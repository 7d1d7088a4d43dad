import { type Budget, openBudget } from '../core/budget.ts'
import { days } from '../core/duration.ts'
import type { JsonObject } from '../core/json.ts'
import type { Ledger } from '../core/ledger/ledger.ts'
import { ledgerSeconds } from '../core/ledger/ledger-seconds.ts'
import type { FinishedReading, Reading } from '../core/ledger/reading.ts'
import { BING_ENGINE, type KnownSitemap } from '../stores/ledger-store.ts'
import { baselineChange, isBaseline } from './baseline.ts'
import { chooseUrls, type UrlChoice } from './choose-urls.ts'
import {
  carryDeletedPages,
  DELETION_LISTS,
  type DeletedPagesChange,
  vanishedChunks,
} from './deleted-pages.ts'
import { type DueUrls, openDueUrls } from './due-urls.ts'
import { type EngineNumbers, numberOf } from './engine-numbers.ts'
import { type KnownPages, namesOfPageLists, openKnownPages } from './known-pages.ts'
import { type LoadedLedger, loadLedger } from './loaded-ledger.ts'
import { loadSavedReading, PAUSED_LISTS, savedChunks } from './paused-reading.ts'
import { openSitemapNumbers, type SitemapNumbers } from './sitemap-numbers.ts'
import { isToBeContinued, sendsTo, type SiteRun } from './site-run.ts'
import { detached } from './sitemap/entries.ts'
import { urlsOf } from './sitemap/judge-url.ts'
import { readSitemaps } from './sitemap/read-sitemap.ts'
import type { FileRead, FileReport, RememberedFile, SitemapReport } from './sitemap/file-report.ts'
import type { ReadOptions, UrlBatch } from './sitemap/read-options.ts'
import { isAllForeign, tellReading } from './tell-reading.ts'

/** What is left of the run's time is for sending: a site that takes for ever to read is not read for ever. */
const READING_SHARE = 0.6

/** A site in the east may already write tomorrow's date. */
const CLOCKS_DIFFER_MS = days(1)

export interface SiteReading {
  /** Every file was read whole, or did not change. */
  readonly complete: boolean
  /** Nothing could be read at all, or nothing of this site. */
  readonly failed: boolean
  /** Chosen of what is due at Bing, and how many there were to choose from. */
  readonly bing: { readonly urls: readonly string[]; readonly total: number }
}

/**
 * Reads the sitemaps past the ledger: what is due goes to the lists, what vanished is noted, all in one change.
 * Where a slice does not reach to the end, what it read is kept and the next goes on: then there is nothing to tell yet.
 */
export async function readSite(
  run: SiteRun,
  engines: EngineNumbers,
  bingQuota: number,
): Promise<SiteReading | 'paused'> {
  const { ledger: store, site, deps } = run
  const saved = run.slice && (await loadSavedReading(store, run.id))
  const loaded = await loadLedger(store)
  const { ledger } = loaded
  const masks = masksOf(run, engines)
  const rule = {
    nowSeconds: ledgerSeconds(run.startedAt),
    ttlSeconds: days(site.cacheTtlDays) / 1_000,
    engines: masks.indexNow | masks.bing,
  }
  const baseline = saved?.baseline ?? (await isBaseline(run, loaded))
  const reading = ledger.openReading({
    ...rule,
    baseline: baseline ? masks.all : 0,
    ...(saved && { paused: saved.reading }),
  })
  const due = await openDueUrls(store, { goesOn: saved !== undefined })
  const pages = site.submitDeleted ? await openKnownPages(store, run.fence) : undefined
  const bingChoice = chooseUrls({
    priority: site.bing?.priority ?? 'newest',
    limit: bingQuota,
    random: deps.random,
    saved: saved?.bing,
  })
  const numbers = openSitemapNumbers(loaded.sitemaps)
  // Without quota for it, what is due at Bing alone is no reason to read a file again.
  const wanted = { ...rule, engines: bingQuota > 0 ? rule.engines : masks.indexNow }
  const judging: Judging = {
    run,
    baseline,
    reading,
    due,
    pages,
    bingChoice,
    masks,
    numbers,
    counts: { listed: 0, new: 0, ...saved?.counts },
    files: new Map(saved?.files.map((file) => [file.report.url, file])),
    foreignHost: undefined,
  }

  const own = readingBudget(run)
  const report = await readAll(judging, rememberedBy({ loaded, numbers, pages }, wanted), own)
  if (isPaused(judging, report, own)) {
    await pause(judging, loaded, report)
    return 'paused'
  }
  for (const file of report.files) {
    if (file.status === 'not-modified') reading.seenFile(numbers.of(file.url))
  }
  const carried = await carryOver(judging, ledger)
  const finished = reading.finish({ complete: report.complete })
  await commit(judging, { loaded, report, finished, carried })
  const { counts, foreignHost } = judging
  tellReading(run, { report, finished, baseline, new: counts.new, foreignHost })
  return {
    complete: report.complete,
    failed: (report.urls === 0 && !report.files.some(isRead)) || isAllForeign({ report, finished }),
    bing: { urls: bingChoice.chosen(), total: bingChoice.offered() },
  }
}

const isRead = ({ status }: FileReport) => status === 'read' || status === 'not-modified'

interface Masks {
  /** Engines as bits: those this run sends to, and those of the site. */
  readonly indexNow: number
  readonly bing: number
  readonly everyIndexNow: number
  readonly all: number
}

function masksOf(run: SiteRun, engines: EngineNumbers): Masks {
  const bit = (engine: string) => 1 << numberOf(engine, engines)
  const indexNow = run.site.searchEngines.reduce((bits, engine) => bits | bit(engine), 0)
  const bing = run.site.bing ? bit(BING_ENGINE) : 0
  return {
    indexNow: sendsTo(run, 'indexnow') ? indexNow : 0,
    bing: sendsTo(run, 'bing') ? bing : 0,
    everyIndexNow: indexNow,
    all: indexNow | bing,
  }
}

interface Judging {
  readonly run: SiteRun
  /** Whether nothing is to be submitted, only remembered. */
  readonly baseline: boolean
  readonly reading: Reading
  readonly due: DueUrls
  readonly pages: KnownPages | undefined
  readonly bingChoice: UrlChoice
  readonly masks: Masks
  readonly numbers: SitemapNumbers
  readonly counts: { listed: number; new: number }
  /** Those that are through, by address. */
  readonly files: Map<string, FileRead>
  /** The first one seen that is not the site's. */
  foreignHost: string | undefined
}

/** What the run as a whole has for reading. */
function readingBudget({ deps, slice }: SiteRun): Budget {
  const timeMs = deps.settings.runBudgetMs * READING_SHARE - (slice?.usedMs ?? 0)
  return openBudget({ timeMs }, deps.clock)
}

/** URLs are counted where they are judged: those of a file that is read again cost next to nothing. */
function budgetOf({ slice }: SiteRun, own: Budget): Budget {
  if (!slice) return own
  return { ...own, take: () => true, exhausted: () => own.exhausted() ?? slice.budget.exhausted() }
}

/** Whether there is more to read, and another slice to read it in. */
function isPaused({ run, files }: Judging, report: SitemapReport, own: Budget): boolean {
  if (own.exhausted() || !isToBeContinued(run)) return false
  return report.files.some(({ url }) => !files.has(url))
}

/** A file that failed when there were no requests left may have failed because of that. */
function isThrough({ run }: Judging, { failure }: FileReport): boolean {
  if (!failure) return true
  return failure.kind !== 'stopped' && run.slice?.budget.left('subrequests') !== 0
}

/** SPEC S07: a file may be passed over when nothing in it is due. */
function rememberedBy(
  known: {
    loaded: LoadedLedger
    numbers: SitemapNumbers
    pages: KnownPages | undefined
  },
  rule: Parameters<Ledger['dueFiles']>[0],
): (url: string) => RememberedFile | undefined {
  const { sitemaps, ledger } = known.loaded
  // Written by this program from the very type; the database is not an outside.
  const memories = sitemaps.map(
    ({ url, memory }) => [url, memory as RememberedFile | undefined] as const,
  )
  const askable = new Map(memories.filter(([, memory]) => memory && canBeAskedFor(memory)))
  // All URLs are looked through for it.
  const dueFiles = askable.size > 0 ? ledger.dueFiles(rule) : new Set<number>()
  return (url) => {
    const memory = askable.get(url)
    if (!memory) return undefined
    const file = known.numbers.of(url)
    return dueFiles.has(file) || known.pages?.has(file) === false ? undefined : memory
  }
}

/** Whether there is anything by which a server, or the index, could say that the file is as it was. */
function canBeAskedFor({ etag, lastModified, lastmod }: RememberedFile): boolean {
  return etag !== undefined || lastModified !== undefined || lastmod > 0
}

async function readAll(
  judging: Judging,
  remembered: (url: string) => RememberedFile | undefined,
  own: Budget,
): Promise<SitemapReport> {
  const { site, deps, log, signal } = judging.run
  const { settings, clock } = deps
  return readSitemaps({
    roots: [site.sitemapUrl, ...site.sitemapUrls],
    backups: site.backupSitemapUrl === undefined ? [] : [site.backupSitemapUrl],
    host: site.host,
    allowedSitemapHosts: site.allowedSitemapHosts,
    timeoutMs: settings.sitemapTimeoutMs,
    retryDelayMs: settings.sitemapRetryMs,
    http: deps.http,
    gunzip: deps.gunzip,
    clock,
    log,
    signal,
    budget: budgetOf(judging.run, own),
    remembered,
    ...(judging.run.slice && partsOf(judging)),
    take: (batch) => judgeBatch(judging, batch),
  })
}

/** A slice passes over what those before it have read. */
function partsOf(judging: Judging): Pick<ReadOptions, 'alreadyRead' | 'onRead'> {
  const { files } = judging
  return {
    alreadyRead: (url) => files.get(url),
    onRead(read) {
      if (isThrough(judging, read.report)) files.set(read.report.url, read)
    },
  }
}

/** The hot path: every URL of every file comes through here. */
function judgeBatch(judging: Judging, batch: UrlBatch): Promise<void> {
  const { reading, due, pages, bingChoice, masks, counts } = judging
  const file = judging.numbers.of(batch.file.url)
  const { count, hashes, lastmods } = batch
  // A date in the future would hide every change until then: it is taken as none.
  const latest = ledgerSeconds(judging.run.startedAt + CLOCKS_DIFFER_MS)
  reading.expect(hashes)
  let unseen = 0
  for (let i = 0; i < count; i++) {
    const written = lastmods[i] as number
    const lastmod = written > latest ? 0 : written
    const verdict = reading.judge(
      hashes[2 * i] as number,
      hashes[2 * i + 1] as number,
      lastmod,
      file,
    )
    if (!verdict.repeated) unseen++
    if (verdict.due === 0) continue
    const url = batch.urlAt(i)
    const dueAtEngines = verdict.due & masks.indexNow
    if (dueAtEngines !== 0 || masks.indexNow === 0) counts.new++
    if (dueAtEngines !== 0) due.add(url, dueAtEngines, verdict.failed & masks.indexNow)
    if ((verdict.due & masks.bing) !== 0) {
      bingChoice.offer(detached(url), lastmod, (verdict.failed & masks.bing) !== 0)
    }
  }
  pages?.add(urlsOf(batch), file)
  const [stranger] = batch.foreign
  if (stranger) judging.foreignHost ??= URL.parse(stranger.loc)?.host
  counts.listed += unseen
  spend(judging.run, unseen)
  return spill(judging)
}

function spend({ slice }: SiteRun, urls: number): void {
  slice?.budget.take('urls', Math.min(urls, slice.budget.left('urls')))
}

async function spill({ due, pages, run, counts }: Judging): Promise<void> {
  // A slice is short, and what it found is true only together with what it has read.
  if (!run.slice) {
    await due.spill()
    await pages?.spill()
  }
  run.progress.count({ total: counts.listed, new: counts.new })
  await run.progress.show()
}

interface Read {
  readonly loaded: LoadedLedger
  readonly report: SitemapReport
  readonly finished: FinishedReading
  readonly carried: DeletedPagesChange
}

/** What earlier runs found to be deleted. Where that is not to be submitted any more, it is forgotten. */
async function carryOver(
  { run, due, masks }: Judging,
  ledger: Ledger,
): Promise<DeletedPagesChange> {
  const { ledger: store, site } = run
  if (site.submitDeleted) {
    const engines = { engines: masks.everyIndexNow, sendsTo: masks.indexNow }
    return carryDeletedPages(store, { ledger, ...engines, due })
  }
  return { dropLists: [...DELETION_LISTS, ...(await namesOfPageLists(store))], appendChunks: [] }
}

/** Keeps what was read so far; nothing counts as missing yet. */
async function pause(judging: Judging, loaded: LoadedLedger, report: SitemapReport) {
  const { run, due, pages, numbers, counts, baseline, bingChoice, reading } = judging
  const known = new Set(loaded.sitemaps.map(({ url }) => url))
  const numbered = report.files.filter(({ url }) => numbers.has(url) && !known.has(url))
  const { shards, paused } = reading.pause()
  const saved = {
    runId: run.id,
    files: [...judging.files.values()],
    counts,
    baseline,
    bing: bingChoice.saved(),
    reading: paused,
  }
  await run.ledger.write({
    shards,
    foldedThrough: loaded.outcomesThrough,
    sitemaps: numbered.map(({ url }) => ({ number: numbers.of(url), url })),
    dropLists: PAUSED_LISTS,
    appendChunks: [
      ...(await due.rest()),
      ...((await pages?.rest()) ?? []),
      ...(await savedChunks(saved)),
    ],
  })
}

async function commit(judging: Judging, read: Read): Promise<void> {
  const { run, due, pages, numbers } = judging
  const { loaded, report, finished, carried } = read
  const whole = wholeFiles(read, numbers)
  const kept = await pages?.finish({
    vanished: finished.vanished,
    isSettled: (file) => whole.has(file),
  })
  const begun = judging.baseline ? await baselineChange(report) : undefined
  await run.ledger.write({
    shards: finished.shards,
    foldedThrough: loaded.outcomesThrough,
    sitemaps: sitemapsOf(report, numbers, whole),
    dropLists: [
      ...(run.slice ? PAUSED_LISTS : []),
      ...carried.dropLists,
      ...(kept?.dropLists ?? []),
      ...(begun?.dropLists ?? []),
    ],
    appendChunks: [
      ...carried.appendChunks,
      ...(await due.rest()),
      ...(kept?.appendChunks ?? []),
      ...(begun?.appendChunks ?? []),
      ...(await vanishedChunks(kept?.vanished ?? [])),
    ],
  })
}

/** The files, by number, that were read whole and need not be read again unless they change. */
function wholeFiles({ report, finished }: Read, numbers: SitemapNumbers): ReadonlySet<number> {
  const read = report.files.filter(({ url, status }) => status === 'read' && numbers.has(url))
  const files = read.map(({ url }) => numbers.of(url))
  return new Set(files.filter((file) => !finished.stillMissingFrom.has(file)))
}

/** Every file whose number the ledger may hold, with what to ask for the next time where that is enough. */
function sitemapsOf(
  { files }: SitemapReport,
  numbers: SitemapNumbers,
  whole: ReadonlySet<number>,
): KnownSitemap[] {
  return files
    .filter(({ url, status }) => status !== 'not-modified' && numbers.has(url))
    .map(({ url, remember }) => ({
      number: numbers.of(url),
      url,
      ...(remember && whole.has(numbers.of(url)) && { memory: remember as unknown as JsonObject }),
    }))
}
