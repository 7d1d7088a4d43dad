import { canonicalUrl } from '../../core/canonical-url.ts'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { hours, seconds } from '../../core/duration.ts'
import { printableUrl } from '../../core/redact.ts'
import { discoverSitemaps, isOrigin } from './discover.ts'
import { describeFileFailure, type FileFailure, treatmentOf } from './failures.ts'
import { FILES_AT_ONCE, MAX_DEPTH, MAX_FILES, MAX_URLS_PER_FILE } from './limits.ts'
import { type FileEnd, readFile } from './read-file.ts'
import type {
  FileRead,
  FileReport,
  RememberedFile,
  SitemapFile,
  SitemapReport,
} from './file-report.ts'
import type { ReadOptions } from './read-options.ts'
import { addTally, newTally } from './tally.ts'

/** Reads all sitemaps of a site, each once: first the roots, then what they name, level by level. */
export async function readSitemaps(options: ReadOptions): Promise<SitemapReport> {
  const reading = openReading(options)
  const hasFailed = await reading.readFrom(options.roots)
  if (hasFailed) await reading.readFrom(options.backups)
  return reading.report()
}

interface Named extends SitemapFile {
  /** What the index says of it. */
  readonly lastmod: number
  /** Why it is not even asked for. */
  readonly refusal: FileFailure | undefined
}

function openReading(options: ReadOptions) {
  const tally = newTally()
  const reports: FileReport[] = []
  const named = namesOf(options)

  const readOne = async (file: Named): Promise<FileRead> => {
    const before = options.alreadyRead?.(file.url)
    const read = before ?? (await readNamed(file, options))
    addTally(tally, read.tally)
    reports[file.number] = { ...read.report, ...fileOf(file) }
    if (before) return before
    // What is left for the next part is no news, and there may be thousands of them in each.
    const isPutOff = options.alreadyRead && read.report.failure?.kind === 'stopped'
    if (!isPutOff) logFile(read.report, options)
    options.onRead?.(read)
    return read
  }
  const readLevel = (files: readonly Named[]) => mapWithConcurrency(files, FILES_AT_ONCE, readOne)

  return {
    /** Whether one of these, not counting what they name, could not be read. */
    async readFrom(addresses: readonly string[]): Promise<boolean> {
      const roots = await findRoots(addresses, options)
      let level = await readLevel(
        roots.flatMap(({ url, failure }) => named.add({ loc: url, lastmod: 0, failure })),
      )
      const hasFailed = level.some(({ report }) => isFailed(report))
      for (let depth = 1; level.length > 0; depth++) {
        const files = level.flatMap(({ report, children }) =>
          children.flatMap((child) => named.add(child, { within: report.url, depth })),
        )
        level = await readLevel(files)
      }
      return hasFailed
    },
    report: (): SitemapReport => ({
      ...tally,
      files: reports,
      complete: reports.length > 0 && !reports.some(isNotWhole),
    }),
  }
}

const isFailed = ({ status }: FileReport) => status === 'failed' || status === 'refused'
const isNotWhole = (report: FileReport) => isFailed(report) || report.status === 'skipped'

/** Where to begin; a robots.txt that could not be read is among them, as failed. */
interface Root {
  readonly url: string
  readonly failure?: FileFailure
}

async function findRoots(addresses: readonly string[], options: ReadOptions): Promise<Root[]> {
  const found: Root[] = []
  for (const address of addresses) {
    if (!isOrigin(address)) found.push({ url: address })
    else {
      const { sitemaps, robots } = await discoverSitemaps(address, options)
      if (robots) found.push(robots)
      found.push(...sitemaps.map((url) => ({ url })))
    }
  }
  return found
}

interface NamedEntry {
  readonly loc: string
  readonly lastmod: number
  readonly failure?: FileFailure | undefined
}

interface Place {
  /** The index that names it. */
  readonly within: string
  readonly depth: number
}

/** Gives each file its number, the first time it is named. */
function namesOf({ roots, backups, host, allowedSitemapHosts }: ReadOptions) {
  const known = new Set<string>()
  const hosts = new Set([host, ...allowedSitemapHosts, ...[...roots, ...backups].map(hostOf)])
  const refusalOf = (url: string, depth: number): FileFailure | undefined => {
    const canonical = canonicalUrl(url)
    if (!canonical.ok) return { kind: 'not-a-url', value: shown(url) }
    if (depth > MAX_DEPTH) return { kind: 'too-deep' }
    return hosts.has(hostOf(url)) ? undefined : { kind: 'foreign-host', host: hostOf(url) }
  }
  return {
    add({ loc, lastmod, failure }: NamedEntry, place?: Place): Named[] {
      const url = (place && URL.parse(loc, place.within)?.href) ?? loc
      const canonical = canonicalUrl(url)
      const key = canonical.ok ? canonical.value : url
      if (known.has(key) || known.size > MAX_FILES) return []
      known.add(key)
      const isTooMany = known.size > MAX_FILES
      const refusal: FileFailure | undefined = isTooMany
        ? { kind: 'too-many-files' }
        : (failure ?? refusalOf(url, place?.depth ?? 0))
      return [{ number: known.size - 1, url, lastmod, refusal }]
    },
  }
}

/** What is an address after all may hold a password. */
const shown = (text: string) => (URL.canParse(text) ? printableUrl(text) : text.slice(0, 200))

const hostOf = (address: string) => URL.parse(address)?.host ?? ''

async function readNamed(file: Named, options: ReadOptions): Promise<FileRead> {
  const unasked = { children: [], tally: newTally() }
  const failure = file.refusal ?? stopOf(options)
  if (failure) return { report: failedReport(file, failure), ...unasked }
  const remembered = rememberedOf(file, options)
  if (remembered && isUnchangedByIndex(file, remembered)) {
    return { report: unchangedReport(file, remembered), ...unasked }
  }
  const end = await readFile({ file: fileOf(file), validators: remembered }, options)
  return {
    report: reportOf(file, end, { remembered, now: options.clock.now() }),
    children: end.children,
    tally: end.tally,
  }
}

/** A day that began last of all, in the west, is over this long after it began first, in the east. */
const LONGEST_DAY_MS = hours(24 + 26)

/**
 * Whether the index says that the file is as it was. A lastmod is often only a day, and a file may change again on the
 * day it was read: the index is believed once that day was over, everywhere, when the file was read.
 */
function isUnchangedByIndex({ lastmod }: Named, remembered: RememberedFile): boolean {
  if (lastmod === 0 || lastmod !== remembered.lastmod) return false
  return remembered.readAt >= seconds(lastmod) + LONGEST_DAY_MS
}

function stopOf({ signal, budget }: ReadOptions): FileFailure | undefined {
  const by = signal?.aborted ? 'signal' : budget?.exhausted()
  return by && { kind: 'stopped', by }
}

function rememberedOf({ url }: Named, { remembered }: ReadOptions): RememberedFile | undefined {
  const known = remembered?.(url)
  return known?.format === 'sitemapindex' ? undefined : known
}

const fileOf = ({ number, url }: SitemapFile): SitemapFile => ({ number, url })

function failedReport(file: Named, failure: FileFailure): FileReport {
  return {
    ...fileOf(file),
    status: treatmentOf(failure).status,
    count: 0,
    foreign: 0,
    bytes: 0,
    error: describeFileFailure(failure),
    failure,
  }
}

function unchangedReport(file: Named, remembered: RememberedFile): FileReport {
  const { format, urls: count, foreign } = remembered
  // `readAt` stays: that the server says "as it was" does not make the index's day over.
  const remember = { ...remembered, lastmod: file.lastmod }
  return { ...fileOf(file), status: 'not-modified', format, count, foreign, bytes: 0, remember }
}

function reportOf(
  file: Named,
  end: FileEnd,
  { remembered, now }: { remembered: RememberedFile | undefined; now: number },
): FileReport {
  const { result, format, children, tally, bytes, validators } = end
  if (result.ok && result.value === 'not-modified') {
    return remembered
      ? unchangedReport(file, remembered)
      : failedReport(file, { kind: 'status', status: 304 })
  }
  const { foreign } = tally
  const count = tally.urls + foreign + children.length
  const found = { ...(format && { format }), count, foreign, bytes }
  if (!result.ok) return { ...failedReport(file, result.failure), ...found }
  const { lastmod } = file
  return {
    ...fileOf(file),
    status: 'read',
    ...found,
    ...(count > MAX_URLS_PER_FILE && { warning: tooManyUrls(count) }),
    ...(format && {
      remember: { ...validators, format, urls: count, foreign, lastmod, readAt: now },
    }),
  }
}

function tooManyUrls(count: number): string {
  return `The file has ${count} URLs. All are read here, but search engines may ignore those past ${MAX_URLS_PER_FILE}: split it.`
}

function logFile(report: FileReport, { log }: ReadOptions): void {
  const { url, status, count, bytes, error } = report
  const fields = { file: printableUrl(url), status, count, bytes, ...(error && { error }) }
  if (isNotWhole(report)) log.warn('sitemap.failed', error ?? status, fields)
  else log.info('sitemap.read', `${count} in ${printableUrl(url)}`, fields)
}
