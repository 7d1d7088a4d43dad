import { type PlatformAnswer, statusFailure } from '../ask-platform.ts'
import type { PlatformFailure } from '../failures.ts'
import { printableUrl } from '../../../core/redact.ts'

/** What xhs answers when it does not show a note. The codes are the same in redirects and in the embedded state. */
const CODES: Readonly<Record<string, (sign: string) => PlatformFailure>> = {
  '-100': (sign) => ({ kind: 'cookie-rejected', sign }),
  '-101': (sign) => ({ kind: 'cookie-rejected', sign }),
  '-104': (sign) => ({ kind: 'cookie-rejected', sign }),
  '-510000': (sign) => ({ kind: 'gone', sign }),
  '-510001': (sign) => ({ kind: 'gone', sign }),
  // "The account looks unusual", "this network is at risk": for people to answer.
  300011: (sign) => ({ kind: 'challenged', sign }),
  300012: (sign) => ({ kind: 'challenged', sign }),
  300013: () => ({ kind: 'rate-limited', status: 300_013 }),
  // "This note cannot be viewed at present": deleted, hidden, or under review.
  300031: (sign) => ({ kind: 'gone', sign }),
}

export function codeFailure(code: unknown): PlatformFailure | undefined {
  const name = String(code)
  return Object.hasOwn(CODES, name) ? CODES[name]?.(`error ${name}`) : undefined
}

/** What status and redirect say. Undefined: there is a page to read. */
export function replyFailure(answer: PlatformAnswer, now: number): PlatformFailure | undefined {
  const { status, location } = answer
  // Always with a captcha behind it, also without the header that says so.
  if (status === 461 || status === 471) return { kind: 'challenged', sign: `HTTP ${status}` }
  return location === undefined ? statusFailure(answer, now) : redirectFailure(answer.url, location)
}

function redirectFailure(from: string, location: string): PlatformFailure {
  const to = URL.parse(location)
  const where = printableUrl(location)
  if (!to) return { kind: 'unreadable', why: 'it redirects to what is no address' }
  const { pathname, searchParams } = to
  if (/\/captcha\b/.test(pathname) || searchParams.has('verifyUuid')) {
    return { kind: 'challenged', sign: 'redirect to the captcha' }
  }
  // A captcha and a login may be on a host of their own; nothing else is read there.
  if (/^\/(?:website-login\/?|login\b)/.test(pathname) && !/\/error\b/.test(pathname)) {
    return { kind: 'cookie-rejected', sign: 'redirect to the login' }
  }
  if (to.origin !== URL.parse(from)?.origin) return { kind: 'led-away', where }
  if (pathname.startsWith('/404/sec_') || searchParams.get('error_code') === '300017') {
    const why = 'its xsec_token is wrong or too old; copy the whole link from the browser again'
    return { kind: 'wrong-url', where: printableUrl(from), why }
  }
  const told = codeFailure(searchParams.get('error_code'))
  if (told) return told
  if (/\/error\b/.test(pathname)) return { kind: 'challenged', sign: 'redirect to an error page' }
  if (/^\/404\b/.test(pathname)) return { kind: 'gone', sign: 'redirect to 404' }
  return { kind: 'unreadable', why: 'it redirects to another page of the platform' }
}
