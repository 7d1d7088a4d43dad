import type { Random } from './random.ts'

// Whatever others use as ids (UUIDs, ULIDs, base64, `Root=1-67…`), and nothing that could break a line or a header.
const REQUEST_ID = /^[\w.:@/+=~-]{1,128}$/

/** The caller's id where it is fit for a log line, else a new one. */
export function requestIdFrom(header: string | null | undefined, random: Random): string {
  return header && REQUEST_ID.test(header) ? header : random.uuid()
}

/** W3C Trace Context, version 00. */
export interface Trace {
  readonly traceId: string
  readonly spanId: string
  readonly flags: string
}

const TRACEPARENT = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

export function parseTraceparent(header: string | null | undefined): Trace | undefined {
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header ?? '') ?? []
  if (!version || !traceId || !spanId || !flags) return undefined
  if (version === 'ff' || (version === '00' && rest !== undefined)) return undefined
  if (/^0+$/.test(traceId) || /^0+$/.test(spanId)) return undefined
  return { traceId, spanId, flags }
}

/** The next span of a trace, or the first of a new one. Made of UUIDs, which every runtime keeps a stock of chance for. */
export function childTrace(parent: Trace | undefined, random: Random): Trace {
  const { traceId, flags } = parent ?? { traceId: hexOf(random.uuid()), flags: '01' }
  return { traceId, spanId: hexOf(random.uuid()).slice(SPAN_AT), flags }
}

/** The second half of a UUID: its first digit is never 0, and a span of zeros is none. */
const SPAN_AT = 16

function hexOf(uuid: string): string {
  return uuid.replaceAll('-', '')
}

export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`
}
