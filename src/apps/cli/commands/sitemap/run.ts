import { systemClock } from '../../../../core/clock.ts'
import { nodeGunzip } from '../../../node/gunzip.ts'
import { openHttp } from '../../../node/open-http.ts'
import { readSitemaps } from '../../../../submit/sitemap/read-sitemap.ts'
import { urlsOf } from '../../../../submit/sitemap/judge-url.ts'
import type { SitemapReport } from '../../../../submit/sitemap/file-report.ts'
import type { UrlBatch } from '../../../../submit/sitemap/read-options.ts'
import { ofFile } from '../../../../submit/tell-reading.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { type Environment, openEnvironment } from '../../environment.ts'
import { givenAddress } from '../../given-address.ts'
import { untilInterrupted } from '../../interruption.ts'
import { inWords } from '../../words.ts'

interface ListedUrl {
  readonly loc: string
  readonly lastmod: string | null
  /** On another host: it would not be submitted. */
  readonly foreign: boolean
}

export async function runSitemap(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call, { shows: ({ event }) => event !== 'sitemap.failed' })
  if (!env.ok) return call.refuse(env.failure)
  const address = call.words[0] ?? ''
  const url = givenAddress(address)
  if (!url.ok) return call.refuse(url.failure)
  const { urls, report } = await untilInterrupted((signal) =>
    readAll(address, url.value.host, env.value, signal),
  )
  const own = urls.filter(({ foreign }) => !foreign)
  call.answer(documentOf(urls, report), () => {
    for (const { loc } of own) call.terminal.print(loc)
  })
  tell(call, report, own.length)
  return report.complete ? EXIT.done : EXIT.failed
}

async function readAll(
  address: string,
  host: string,
  { config, log }: Environment,
  signal: AbortSignal,
) {
  const lists = openLists()
  const report = await readSitemaps({
    roots: [address],
    backups: [],
    host,
    allowedSitemapHosts: [],
    timeoutMs: config.sitemapTimeoutMs,
    retryDelayMs: config.sitemapRetryMs,
    http: openHttp(config, systemClock),
    gunzip: nodeGunzip,
    clock: systemClock,
    log,
    signal,
    take: lists.take,
  })
  return { urls: lists.all(), report }
}

/** Files are read side by side and perhaps twice; listed is each URL once, in the order of the files. */
function openLists() {
  const byFile: Map<string, ListedUrl>[] = []
  return {
    take(batch: UrlBatch): void {
      const { file, hashes, lastmods, foreign } = batch
      const list = (byFile[file.number] ??= new Map())
      urlsOf(batch).forEach((loc, i) => {
        const lastmod = isoOf(lastmods[i] ?? 0)
        // What the ledger knows it by: two spellings of one page are one.
        list.set(`${hashes[2 * i]}:${hashes[2 * i + 1]}`, { loc, lastmod, foreign: false })
      })
      for (const { loc, lastmod } of foreign) {
        list.set(loc, { loc, lastmod: isoOf(lastmod), foreign: true })
      }
    },
    all: () => [...new Map(byFile.flatMap((list) => [...(list ?? [])])).values()],
  }
}

function isoOf(seconds: number): string | null {
  return seconds === 0 ? null : new Date(seconds * 1_000).toISOString()
}

function documentOf(urls: readonly ListedUrl[], { files, samples, complete }: SitemapReport) {
  return {
    urls,
    sitemaps: files.map(({ url, status, count, error = null }) => ({ url, status, count, error })),
    invalid: samples.map(({ value, reason }) => ({ value, reason })),
    complete,
  }
}

function tell({ terminal }: Call, report: SitemapReport, own: number): void {
  const { files, foreign, samples } = report
  const read = files.filter(({ status }) => status === 'read').length
  const mark = report.complete ? terminal.paint('green', '✔') : terminal.paint('red', '✖')
  terminal.say(`${mark} ${inWords.urls(own)} in ${read} of ${files.length} files`)
  if (foreign > 0) terminal.say(`  ${inWords.count(foreign)} of other hosts, left out`)
  for (const { value, reason } of samples.slice(0, 10)) terminal.say(`  ${reason}: ${value}`)
  for (const { url, error, warning } of files) {
    if (error) terminal.complain(`  ${terminal.paint('red', '✖')} ${ofFile(url, error)}`)
    if (warning) terminal.say(`  ${terminal.paint('yellow', '⚠')} ${url}: ${warning}`)
  }
}
