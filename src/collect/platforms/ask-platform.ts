import type { Clock } from '../../core/clock.ts'
import type { HttpClient, HttpFailure, HttpReply } from '../../core/http.ts'
import { locationOf } from '../../core/location.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { retryAfterMs } from '../../core/retry.ts'
import { REDACTED, type Secret } from '../../core/secret.ts'
import type { PlatformFailure } from './failures.ts'
import { decodeText } from './text-encoding.ts'

/** What every platform is made of. */
export interface Outside {
  readonly http: HttpClient
  readonly clock: Clock
}

export interface Question {
  readonly url: string
  readonly accept: string
  readonly cookie?: Secret | undefined
  readonly headers: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  readonly timeoutMs: number
  readonly maxBytes: number
  /** Redirects to follow; by default none, so that the redirect itself is the answer. */
  readonly maxRedirects?: number
}

export interface PlatformAnswer {
  readonly status: number
  readonly headers: Headers
  /** Where the answer came from, after redirects. */
  readonly url: string
  /** Where a redirect leads, as a whole address. */
  readonly location: string | undefined
  readonly text: string
}

/** One plain GET, read to its end. The cookie goes into its header and nowhere else. */
export async function askPlatform(
  { cookie, accept, headers, ...question }: Question,
  { http }: Pick<Outside, 'http'>,
): Promise<Result<PlatformAnswer, PlatformFailure>> {
  const value = cookie?.reveal()
  if (value !== undefined && !SENDABLE.test(value)) {
    return fail({ kind: 'cookie-rejected', sign: 'it has characters that no header can carry' })
  }
  const sent = await http.send({
    ...question,
    headers: { ...headers, accept, ...(value !== undefined && { cookie: value }) },
  })
  if (!sent.ok) return fail(httpFailure(sent.failure))
  const bytes = await bytesOf(sent.value)
  if (!bytes.ok) return fail(httpFailure(bytes.failure))
  const { status, headers: answered, url } = sent.value
  const text = decodeText(bytes.value, answered.get('content-type'))
  return ok({
    status,
    headers: answered,
    url,
    location: redirectTarget(sent.value),
    text: value === undefined ? text : withoutCookie(text, value),
  })
}

// What is no header makes `fetch` throw.
const SENDABLE = /^[\x20-\x7e\x80-\xff]*$/

function redirectTarget({ status, headers, url }: HttpReply): string | undefined {
  const location = status >= 300 && status < 400 ? locationOf(headers) : undefined
  return location === undefined ? undefined : (URL.parse(location, url)?.href ?? '')
}

async function bytesOf(reply: HttpReply): Promise<Result<Uint8Array, HttpFailure>> {
  const chunks: Uint8Array[] = []
  let length = 0
  const read = await reply.each((chunk) => {
    chunks.push(chunk)
    length += chunk.length
  })
  if (!read.ok) return read
  const bytes = new Uint8Array(length)
  let at = 0
  for (const chunk of chunks) {
    bytes.set(chunk, at)
    at += chunk.length
  }
  return ok(bytes)
}

// Shorter values ("1", "zh-CN") are no secrets, and stand in every page.
const LEAST_SECRET_LENGTH = 12

/** A page may repeat what it was asked with, and its text becomes a note. */
function withoutCookie(text: string, cookie: string): string {
  const values = cookie.split(';').map((pair) => pair.slice(pair.indexOf('=') + 1).trim())
  const secrets = [cookie, ...values].filter(({ length }) => length >= LEAST_SECRET_LENGTH)
  return [...new Set(secrets.flatMap(spellings))]
    .toSorted((a, b) => b.length - a.length)
    .reduce((safe, secret) => safe.replaceAll(secret, REDACTED), text)
}

/**
 * The same of what was read out of a page: there the cookie may have been written in any of the ways in which pages
 * write texts, and is what it was again.
 */
export function withoutCookieIn<T>(answer: T, cookie: Secret): T {
  const value = cookie.reveal()
  const clean = (part: unknown): unknown => {
    if (typeof part === 'string') return withoutCookie(part, value)
    if (Array.isArray(part)) return part.map(clean)
    if (typeof part !== 'object' || part === null) return part
    return Object.fromEntries(Object.entries(part).map(([name, inside]) => [name, clean(inside)]))
  }
  return clean(answer) as T
}

/** As it is, and as an address or a script would have it. */
function spellings(secret: string): readonly string[] {
  return [
    secret,
    encodeURIComponent(secret),
    secret.replaceAll('/', '\\u002F'),
    secret.replaceAll('/', '\\/'),
  ]
}

export function httpFailure(failure: HttpFailure): PlatformFailure {
  const { where } = failure
  switch (failure.kind) {
    case 'network':
      return { kind: 'network', where, code: failure.code }
    case 'timed-out':
      return { kind: 'timed-out', afterMs: failure.afterMs }
    case 'too-large':
      return { kind: 'too-large', maxBytes: failure.maxBytes }
    case 'private-address':
      return { kind: 'private-address', where }
    case 'aborted':
      return { kind: 'stopped' }
    case 'too-many-redirects':
      return { kind: 'wrong-url', where, why: 'it redirects without end' }
    case 'invalid-url':
      return { kind: 'foreign-url', where, wanted: 'a public http(s) address' }
  }
}

/** What the status alone says, on any platform. Undefined: there is something to read. */
export function statusFailure(
  { status, headers }: Pick<PlatformAnswer, 'status' | 'headers'>,
  now: number,
): PlatformFailure | undefined {
  if (status >= 200 && status < 300) return undefined
  if (headers.get('cf-mitigated') === 'challenge') {
    return { kind: 'challenged', sign: `HTTP ${status}, cf-mitigated` }
  }
  if (status === 404) return { kind: 'not-found', sign: 'HTTP 404' }
  if (status === 410) return { kind: 'gone', sign: 'HTTP 410' }
  if (status === 429) {
    const waitMs = retryAfterMs(headers.get('retry-after'), now)
    return { kind: 'rate-limited', status, ...(waitMs !== undefined && { retryAfterMs: waitMs }) }
  }
  return status >= 500 ? { kind: 'platform-down', status } : { kind: 'refused', status }
}
