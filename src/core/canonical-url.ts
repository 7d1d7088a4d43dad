import { fail, ok, type Result } from './result.ts'

/** Longer URLs are refused by search engines and by the sitemap protocol. */
export const MAX_URL_LENGTH = 2_048

export type UrlProblem = 'not-a-url' | 'not-http' | 'has-credentials' | 'too-long'

/**
 * Two spellings of one address give one canonical URL: scheme and host in lower case, no default port,
 * no dot segments, no fragment, percent-encoding only where needed and in capitals.
 * It is the key under which a URL is remembered, always ASCII; what is sent is the URL as it was written.
 */
export function canonicalUrl(text: string): Result<string, UrlProblem> {
  if (text.length > MAX_URL_LENGTH) return fail('too-long')
  if (CANONICAL_ALREADY.test(text)) return ok(text)

  const url = URL.parse(text)
  if (!url) return fail('not-a-url')
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return fail('not-http')
  if (url.username || url.password) return fail('has-credentials')
  url.hash = ''
  const canonical = decodeUnreserved(url.href)
  return canonical.length > MAX_URL_LENGTH ? fail('too-long') : ok(canonical)
}

/** A blank or a control character is in no address: it is sent in its canonical form, not as it was written. */
export function needsEncoding(url: string): boolean {
  return /[ \p{Cc}]/u.test(url)
}

// Most URLs of a sitemap are written canonically, and parsing each costs more than all else done with it.
// The pattern admits only what `URL` would give back unchanged: a named host (with no `--`, which may begin an
// encoded name), then characters that mean themselves, no dot after a slash.
const CANONICAL_ALREADY =
  /^https?:\/\/(?:[a-z0-9]+(?:-[a-z0-9]+)*\.)+[a-z]{2,}(?:\/(?!\.)[\w\-.~!$&()*+,;=:@?]*)+$/

const ESCAPE = /%([0-9a-f]{2})?/gi
const UNRESERVED = /[\w\-.~]/

function decodeUnreserved(href: string): string {
  if (!href.includes('%')) return href
  return href.replace(ESCAPE, (escape, digits: string | undefined) => {
    // A lone % stands for itself; left bare it could form an escape with what follows once that is decoded.
    if (digits === undefined) return '%25'
    const character = String.fromCharCode(Number.parseInt(digits, 16))
    return UNRESERVED.test(character) ? character : escape.toUpperCase()
  })
}
