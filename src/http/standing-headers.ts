import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { traceparentOf } from '../core/request-id.ts'
import type { HttpContext } from './http-env.ts'

/** What Hono's `secureHeaders` sets, framing denied: a browser takes an answer for what it is, and for us alone. */
const SECURE = {
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Origin-Agent-Cluster': '?1',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
  'X-DNS-Prefetch-Control': 'off',
  'X-Download-Options': 'noopen',
  'X-Frame-Options': 'DENY',
  'X-Permitted-Cross-Domain-Policies': 'none',
  'X-XSS-Protection': '0',
}

/** Right for JSON; a page names a policy of its own, and it stands. */
const CAUTIOUS = {
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cache-Control': 'no-store',
}

/** What every JSON answer is sent with, also the refusal of a request that could not be read. */
export const JSON_HEADERS = { 'Content-Type': 'application/json', ...SECURE, ...CAUTIOUS }

/**
 * A JSON document with every header that it is sent with, which nobody need look at again: a plain object costs the
 * server a tenth of a `Headers`. What was set by `c.header` is not among them: hand it in as `headers`.
 */
export function jsonAnswer(
  c: HttpContext,
  document: unknown,
  status: ContentfulStatusCode,
  headers: Readonly<Record<string, string>> = {},
): Response {
  const made = new Response(JSON.stringify(document), {
    status,
    headers: { ...JSON_HEADERS, ...ofRequest(c), ...headers },
  })
  c.set('complete', made)
  return made
}

/** Whether the answer is as `jsonAnswer` made it. To look at its headers would make a `Headers` of them. */
export function isComplete(c: HttpContext): boolean {
  return c.res === c.get('complete')
}

/** Gives any other answer the same headers. */
export function addStandingHeaders(c: HttpContext): void {
  // Not `c.header`, which makes a new answer out of a finished one, its text a stream.
  const { headers } = c.res
  for (const [name, value] of entries(SECURE)) headers.set(name, value)
  for (const [name, value] of entries(CAUTIOUS)) {
    if (!headers.has(name)) headers.set(name, value)
  }
  for (const [name, value] of entries(ofRequest(c))) headers.set(name, value)
}

const { entries } = Object

function ofRequest(c: HttpContext) {
  const { id, trace } = c.get('request')
  return { 'X-Request-ID': id, traceparent: traceparentOf(trace) }
}
