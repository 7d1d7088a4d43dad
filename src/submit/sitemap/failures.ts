import { describeHttpFailure, type HttpFailure } from '../../core/http.ts'
import type { BudgetPart } from '../../core/budget.ts'
import type { Retryable } from '../../core/retry.ts'
import { MAX_DEPTH, MAX_FILE_BYTES, MAX_FILES } from './limits.ts'

/** Everything that can keep a sitemap file from being read whole. */
export type FileFailure =
  | { readonly kind: 'http'; readonly failure: HttpFailure }
  | { readonly kind: 'busy'; readonly status: number; readonly retryAfterMs?: number }
  | { readonly kind: 'asked-to-wait'; readonly status: number; readonly waitMs: number }
  | { readonly kind: 'status'; readonly status: number }
  | { readonly kind: 'not-encoded' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'html' }
  | { readonly kind: 'not-a-sitemap'; readonly found: string }
  | {
      readonly kind: 'broken'
      readonly problem: string
      readonly line: number
      readonly column: number
    }
  | { readonly kind: 'gzip-broken' }
  | { readonly kind: 'too-large' }
  | { readonly kind: 'too-deep' }
  | { readonly kind: 'too-many-files' }
  | { readonly kind: 'foreign-host'; readonly host: string }
  | { readonly kind: 'not-a-url'; readonly value: string }
  | { readonly kind: 'stopped'; readonly by: BudgetPart | 'signal' }

/** `failed`: it could not be read; `refused`: we would not read it; `skipped`: it was not its turn. */
export type FailedStatus = 'failed' | 'refused' | 'skipped'

interface Treatment {
  readonly status: FailedStatus
  readonly retry: boolean
}

const FAILED: Treatment = { status: 'failed', retry: false }
const REFUSED: Treatment = { status: 'refused', retry: false }
const PASSING: Treatment = { status: 'failed', retry: true }
const SKIPPED: Treatment = { status: 'skipped', retry: false }

const TREATMENTS = {
  busy: PASSING,
  'asked-to-wait': FAILED,
  status: FAILED,
  'not-encoded': FAILED,
  empty: FAILED,
  html: FAILED,
  'not-a-sitemap': FAILED,
  broken: FAILED,
  'gzip-broken': FAILED,
  'too-large': REFUSED,
  'too-deep': REFUSED,
  'too-many-files': REFUSED,
  'foreign-host': REFUSED,
  'not-a-url': FAILED,
  stopped: SKIPPED,
} as const satisfies Record<Exclude<FileFailure['kind'], 'http'>, Treatment>

/** SPEC S02, S03: only what may pass by itself is tried again; what ran out of time or room is not. */
const HTTP_TREATMENTS = {
  network: PASSING,
  'timed-out': REFUSED,
  'too-large': REFUSED,
  'private-address': REFUSED,
  'invalid-url': FAILED,
  'too-many-redirects': FAILED,
  aborted: SKIPPED,
} as const satisfies Record<HttpFailure['kind'], Treatment>

export function treatmentOf(failure: FileFailure): Treatment {
  return failure.kind === 'http' ? HTTP_TREATMENTS[failure.failure.kind] : TREATMENTS[failure.kind]
}

/** What `retry` must know of it. */
export function retryOf(failure: FileFailure): Retryable {
  const retryable = treatmentOf(failure).retry
  const asked = failure.kind === 'busy' ? failure.retryAfterMs : undefined
  return asked === undefined ? { retryable } : { retryable, retryAfterMs: asked }
}

/** For people: what happened, why, what to do next. */
export function describeFileFailure(failure: FileFailure): string {
  switch (failure.kind) {
    case 'http':
      return describeHttpFailure(failure.failure)
    case 'busy':
      return `The server answered ${failure.status}, also after waiting. Try again later, or look at the server's own log.`
    case 'asked-to-wait':
      return `The server answered ${failure.status} and asked to come back in ${Math.ceil(failure.waitMs / 1_000)} seconds. The next run tries again.`
    case 'status':
      return describeStatus(failure.status)
    case 'not-encoded':
      return 'The server names a "Content-Encoding", but what it sends is not encoded so. Correct that header on the server.'
    case 'empty':
      return 'The file is empty. Check what generates it.'
    case 'html':
      return 'This is an HTML page, not a sitemap: perhaps an error page, a login or a challenge for browsers. Open the address to see it.'
    case 'not-a-sitemap':
      return `This is neither a sitemap, a feed nor a list of URLs: it begins with ${failure.found}. Check the address.`
    case 'broken':
      return `Line ${failure.line}, column ${failure.column}: ${failure.problem}. What comes before it was read; repair the file to have the rest read.`
    case 'gzip-broken':
      return 'The compressed file is damaged or cut off. What comes before was read; generate the file again.'
    case 'too-large':
      return `The file is larger than ${MAX_FILE_BYTES / 1_048_576} MB uncompressed, the limit for sitemaps. Split it, and name the parts in a sitemap index.`
    case 'too-deep':
      return `The file is more than ${MAX_DEPTH} sitemap indexes deep. Name it in an index nearer to the first.`
    case 'too-many-files':
      return `The site names more than ${MAX_FILES} sitemap files. Join small ones.`
    case 'foreign-host':
      return `The file is on another host, ${failure.host}. If that is meant, add the host to allowedSitemapHosts.`
    case 'not-a-url':
      return `"${failure.value}" is not an http(s) address. Correct it where it is written.`
    case 'stopped':
      return describeStop(failure.by)
  }
}

function describeStatus(status: number): string {
  if (status === 404 || status === 410) {
    return `The server answered ${status}: there is no such file. Check the address, or remove it from the sitemap index.`
  }
  if (status === 401 || status === 403) {
    return `The server answered ${status}: it refuses to show the file. Let the user agent of Sluice pass, for example in the firewall's rules for bots.`
  }
  return `The server answered ${status} instead of a sitemap. Open the address to see why.`
}

function describeStop(by: BudgetPart | 'signal'): string {
  switch (by) {
    case 'signal':
      return 'The run was stopped before this file was read. The next run reads it.'
    case 'timeMs':
      return "The run's time was used up before this file was read. The next run reads it; RUN_BUDGET_MS gives more time."
    case 'subrequests':
      return 'The requests that one invocation may make were used up before this file was read. The next slice reads it.'
    case 'urls':
      return 'The URLs that one invocation may handle were used up before this file was read. The next slice reads it.'
  }
}
