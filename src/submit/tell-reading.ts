import type { FinishedReading } from '../core/ledger/reading.ts'
import { printableUrl, redactText } from '../core/redact.ts'
import type { SiteRun } from './site-run.ts'
import type { InvalidReason } from './sitemap/judge-url.ts'
import type { SitemapReport } from './sitemap/file-report.ts'

export interface ToldReading {
  readonly report: SitemapReport
  readonly finished: FinishedReading
  /** Whether nothing is to be submitted, only remembered. */
  readonly baseline: boolean
  /** How many are to be submitted. */
  readonly new: number
  /** Of the first URL that is not the site's. */
  readonly foreignHost: string | undefined
}

/** The sitemaps speak of another site alone: there is nothing that could be done. */
export function isAllForeign({
  report,
  finished,
}: Pick<ToldReading, 'report' | 'finished'>): boolean {
  const { listed, skipped } = finished.counts
  return listed + skipped === 0 && report.files.some(({ foreign }) => foreign > 0)
}

/** Puts into the record what a person should know of the reading. */
export function tellReading({ progress, log, site }: SiteRun, told: ToldReading): void {
  const { report, finished, baseline } = told
  const total = finished.counts.listed + finished.counts.skipped
  const invalid = Object.values(report.invalid).reduce((sum, count) => sum + count, 0)
  progress.count({
    total,
    new: told.new,
    cached: total - told.new,
    invalid: invalid + report.foreign,
  })
  for (const { url, error, warning } of report.files) {
    if (error !== undefined) progress.error(ofFile(url, error))
    if (warning !== undefined) progress.warning(ofFile(url, warning))
  }
  if (invalid > 0) progress.warning(describeInvalid(invalid, report))
  if (isAllForeign(told)) progress.error(describeAllForeign(site.host, told.foreignHost))
  else if (report.foreign > 0) {
    const what = report.foreign === 1 ? '1 URL is' : `${report.foreign} URLs are`
    progress.warning(`${what} not on ${site.host} and left out. Each host needs a site of its own.`)
  }
  if (finished.suspiciousDrop) {
    progress.warning(
      'More than half of the known pages are missing from the sitemap. That is taken as a mistake of the sitemap, and nothing counts as deleted.',
    )
  }
  if (baseline && !report.complete) {
    progress.warning(
      'Nothing is submitted before the sitemaps were read whole once, because firstRun is "baseline". The next run goes on; repair the files that could not be read, or set firstRun to "submit".',
    )
  }
  if (report.complete && total === 0 && !isAllForeign(told))
    progress.warning('The sitemap is empty. Check what generates it.')
  log.info('sitemap.read', `${total} URLs, ${told.new} to submit`, {
    files: report.files.length,
    complete: report.complete,
    total,
    new: told.new,
    invalid,
    foreign: report.foreign,
    vanished: finished.vanished.length / 2,
  })
}

/** What is said of a file, with its address before it: some failures name it themselves. */
export function ofFile(url: string, what: string): string {
  const where = printableUrl(url)
  return what.startsWith(`${where} `) ? what : `${where}: ${what}`
}

function describeAllForeign(host: string, foreignHost: string | undefined): string {
  const where = foreignHost === undefined ? 'another host' : foreignHost
  return `No URL of the sitemap is on ${host}, all are on ${where}. If that is the site, submit it by its own address, such as https://${foreignHost ?? `www.${host}`}/sitemap.xml; else correct what makes the sitemap.`
}

const MOST_SHOWN = 3

function describeInvalid(count: number, { samples }: SitemapReport): string {
  const shown = samples.slice(0, MOST_SHOWN).map(({ value, reason }) => {
    const text = redactText(value.length > 100 ? `${value.slice(0, 100)}…` : value)
    return text ? `"${text}" (${REASONS[reason]})` : REASONS[reason]
  })
  const what = count === 1 ? '1 entry of the sitemap was' : `${count} entries of the sitemap were`
  const more = count > shown.length ? ' and others' : ''
  return `${what} left out: ${shown.join(', ')}${more}. Correct what makes the sitemap.`
}

const REASONS = {
  'no-loc': 'one without an address',
  'too-long': 'longer than 2,048 characters',
  'undefined-entity': 'it names an entity that XML does not know',
  'bad-encoding': 'not in the encoding that the file declares',
  'not-a-url': 'not a whole address',
  'not-http': 'not an http or https address',
  'has-credentials': 'it holds a name or a password',
} as const satisfies Record<InvalidReason, string>
