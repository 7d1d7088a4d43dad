import robotsParser from 'robots-parser'
import { fail, ok, type Result } from '../../core/result.ts'
import { every, retry } from '../../core/retry.ts'
import { wholeLines } from '../../core/whole-lines.ts'
import { type FileFailure, retryOf } from './failures.ts'
import { fetchFile } from './fetch-file.ts'
import { MAX_RETRIES, MAX_ROBOTS_BYTES } from './limits.ts'
import type { ReadOptions } from './read-options.ts'

/** Whether an address names a site, not a file of it. */
export function isOrigin(address: string): boolean {
  const url = URL.parse(address)
  return url !== null && url.pathname === '/' && url.search === ''
}

export interface Discovered {
  readonly sitemaps: readonly string[]
  /** A robots.txt that is there but could not be read: it may name others, so that what is found is not all. */
  readonly robots?: { readonly url: string; readonly failure: FileFailure }
}

/** Where a site says that its sitemaps are: in robots.txt, or else where everybody looks. */
export async function discoverSitemaps(site: string, options: ReadOptions): Promise<Discovered> {
  const robots = new URL('/robots.txt', site).href
  const usual = [new URL('/sitemap.xml', site).href]
  const text = await fetchRobots(robots, options)
  if (!text.ok) {
    const isAbsent = text.failure.kind === 'status' && text.failure.status < 500
    return { sitemaps: usual, ...(!isAbsent && { robots: { url: robots, failure: text.failure } }) }
  }
  const named = sitemapLines(robots, text.value)
  return { sitemaps: named.length > 0 ? named : usual }
}

/** Relative ones mean the site; what is no address at all is left for the reading to report. */
function sitemapLines(robots: string, text: string): readonly string[] {
  // The parser would keep every rule once for each name above it: thousands of both are as large as the machine.
  const own = text.split(/\r\n|\r|\n/).filter((line) => /^\s*sitemap\s*:/i.test(line))
  const lines = parse(robots, own.join('\n')).getSitemaps()
  return [...new Set(lines.map((line) => URL.parse(line, robots)?.href ?? line))]
}

// The package is CommonJS, and its types say otherwise.
const parse = robotsParser as unknown as (url: string, text: string) => { getSitemaps(): string[] }

async function fetchRobots(
  url: string,
  options: ReadOptions,
): Promise<Result<string, FileFailure>> {
  const { clock, retryDelayMs, signal = new AbortController().signal } = options
  let result: Result<string, FileFailure> = ok('')
  await retry(
    async () => {
      result = await readRobots(url, options, signal)
      return result.ok ? ok(undefined) : fail(retryOf(result.failure))
    },
    { policy: every(retryDelayMs, MAX_RETRIES), clock, signal },
  )
  return result
}

/** What is past the limit is not read, as the standard allows. */
async function readRobots(
  url: string,
  options: ReadOptions,
  signal: AbortSignal,
): Promise<Result<string, FileFailure>> {
  const fetched = await fetchFile({ url, signal, maxBytes: MAX_ROBOTS_BYTES }, options)
  if (!fetched.ok) return fetched
  const decoder = new TextDecoder()
  let text = ''
  const read = await fetched.value.each((chunk) => {
    text += decoder.decode(chunk, { stream: true })
  })
  if (read.ok) return ok(text)
  const isEnough = read.failure.kind === 'too-large'
  return isEnough ? ok(wholeLines(text)) : fail({ kind: 'http', failure: read.failure })
}
