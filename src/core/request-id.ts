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
  const { traceId, flags } = parent ?? newTrace(random.uuid())
  return { traceId, spanId: secondHalf(random.uuid()), flags }
}

function newTrace(uuid: string): Pick<Trace, 'traceId' | 'flags'> {
  return { traceId: firstHalf(uuid) + secondHalf(uuid), flags: '01' }
}

function firstHalf(uuid: string): string {
  return uuid.slice(0, 8) + uuid.slice(9, 13) + uuid.slice(14, 18)
}

/** Its first digit is never 0: a span of zeros is none. */
function secondHalf(uuid: string): string {
  return uuid.slice(19, 23) + uuid.slice(24)
}

export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`
}
