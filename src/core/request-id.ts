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

/** The next span of a trace, or the first of a new one. */
export function childTrace(parent: Trace | undefined, random: Random): Trace {
  if (parent) return { ...parent, spanId: hex(random.bytes(8)) }
  const ids = hex(random.bytes(24))
  return { traceId: ids.slice(0, 32), spanId: ids.slice(32), flags: '01' }
}

export function traceparentOf({ traceId, spanId, flags }: Trace): string {
  return `00-${traceId}-${spanId}-${flags}`
}

const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hex(bytes: Uint8Array): string {
  return bytes.reduce((text, byte) => text + (HEX[byte] ?? ''), '')
}
