import { describeHttpFailure } from '../../core/http.ts'
import type { FileFailure } from '../sitemap/failures.ts'
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES } from '../sitemap/limits.ts'
import type { FindingCode } from './codes.ts'

export interface ToldFailure {
  readonly code: FindingCode
  readonly what: string
  readonly fix: string
}

const REGENERATE = 'Generate the file again, and look at the log of what generates it.'
const UNREACHABLE = 'Open the address in a browser; crawlers must reach it from the internet.'

/** Why a sitemap file was not read whole, by code. What a run says of it is in `describeFileFailure`. */
export function toldFailure(failure: FileFailure): ToldFailure {
  switch (failure.kind) {
    case 'http':
      return toldHttp(failure.failure)
    case 'busy':
    case 'asked-to-wait':
      return told('sitemap-unreachable', `answers ${failure.status}`, "Look at the server's log.")
    case 'status':
      return toldStatus(failure.status)
    case 'html':
      return told(
        'sitemap-is-html',
        'is a web page, not a sitemap',
        "Open the address: it may be an error page, a login, a challenge for browsers, or an app's page for every address. Serve the XML file there.",
      )
    case 'not-a-sitemap':
      return told(
        'sitemap-not-a-sitemap',
        `begins with ${failure.found} and is neither a sitemap, a feed nor a list of URLs`,
        'Check the address: it should be that of the XML file.',
      )
    case 'empty':
      return told('sitemap-empty', 'is empty', REGENERATE)
    case 'broken':
      return told(
        'sitemap-broken',
        `is broken at line ${failure.line}, column ${failure.column}: ${failure.problem}`,
        `Repair it there; what comes before was read. ${REGENERATE}`,
      )
    case 'not-encoded':
      return told(
        'sitemap-gzip-broken',
        'is said to be compressed by "Content-Encoding", but is not',
        'Correct that header on the server.',
      )
    case 'gzip-broken':
      return told('sitemap-gzip-broken', 'is compressed, and damaged or cut off', REGENERATE)
    case 'too-large':
      return TOO_LARGE
    case 'foreign-host':
      return told(
        'sitemap-foreign-file',
        `is on another host, ${failure.host}`,
        `If that is meant, add "${failure.host}" to allowedSitemapHosts of the site.`,
      )
    case 'too-deep':
      return indexWrong(
        `is more than ${MAX_DEPTH} indexes deep`,
        'Name it in an index nearer to the first.',
      )
    case 'too-many-files':
      return indexWrong(`is one of more than ${MAX_FILES} files`, 'Join small ones.')
    case 'not-a-url':
      return indexWrong('is not an http(s) address', 'Correct it in the index that names it.')
    case 'stopped':
      return UNFINISHED
  }
}

const told = (code: FindingCode, what: string, fix: string): ToldFailure => ({ code, what, fix })

const indexWrong = (what: string, fix: string) => told('sitemap-index-wrong', what, fix)

const TOO_LARGE = told(
  'sitemap-too-large',
  `is larger than ${MAX_FILE_BYTES / 1_048_576} MB uncompressed`,
  'Split it, and name the parts in a sitemap index.',
)

const UNFINISHED = told(
  'sitemap-unfinished',
  "was not read before the doctor's time was over",
  'A run has more time (RUN_BUDGET_MS) and goes on the next time; nothing to do unless runs say the same.',
)

function toldHttp(failure: Extract<FileFailure, { kind: 'http' }>['failure']): ToldFailure {
  if (failure.kind === 'aborted') return UNFINISHED
  if (failure.kind === 'too-large') return TOO_LARGE
  const why = describeHttpFailure(failure)
  return told('sitemap-unreachable', `could not be read. ${why}`, UNREACHABLE)
}

function toldStatus(status: number): ToldFailure {
  if (status === 404 || status === 410) {
    return told(
      'sitemap-missing',
      `answers ${status}: there is no such file`,
      "Check the address; the site's own address works too, if robots.txt names the sitemap or it is /sitemap.xml.",
    )
  }
  return told(
    'sitemap-refused',
    `answers ${status}`,
    'Let the user agent of Sluice pass, for example in the rules of a firewall for bots.',
  )
}
