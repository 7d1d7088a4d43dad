/**
 * What became of a URL at one engine, in a byte: the state in 3 bits, and in 5 the HTTP status that led to it,
 * as an index into a table. A byte of 0 is a URL never sent. Order and numbers are stored: append, never reorder.
 */
export const URL_STATES = [
  'unsent',
  'accepted',
  /** Taken with 202: the engine has yet to verify the key. Counts as accepted. */
  'pending',
  /** To be sent again, before all others. */
  'failed',
  /** Refused for good: not sent again until its lastmod changes. */
  'rejected',
  /** Was sent, and has a newer lastmod since; or was sent as deleted. Due when a sitemap lists it. */
  'changed',
  /** Remembered without being sent, and as good as accepted until its lastmod changes. */
  'baseline',
] as const

export type UrlState = (typeof URL_STATES)[number]

// The same numbers for the hot path, where a look-up by name per URL would show.
export const UNSENT = 0
export const ACCEPTED = 1
export const PENDING = 2
export const FAILED = 3
export const CHANGED = 5
export const BASELINE = 6

const STATE_BITS = 3
const STATE_MASK = 0b111

/** Index 0 is "no status": a network failure, or nothing sent. At most 32 fit. */
const STATUS_CODES = [
  0, 200, 202, 400, 401, 403, 404, 405, 406, 408, 409, 410, 411, 413, 414, 415, 422, 423, 425, 429,
  431, 451, 500, 501, 502, 503, 504, 507, 520, 522, 524, 300,
] as const

export function packState(state: UrlState, statusCode = 0): number {
  return URL_STATES.indexOf(state) | (statusIndexOf(statusCode) << STATE_BITS)
}

export interface UnpackedState {
  readonly state: UrlState
  /** Undefined when no answer came, or nothing was sent. */
  readonly statusCode: number | undefined
}

export function unpackState(byte: number): UnpackedState {
  const state = URL_STATES[stateOf(byte)]
  if (!state) throw new RangeError(`There is no URL state ${stateOf(byte)}.`)
  return { state, statusCode: STATUS_CODES[byte >>> STATE_BITS] || undefined }
}

export function isKnownState(byte: number): boolean {
  return stateOf(byte) < URL_STATES.length
}

/** The number of the state alone. */
export function stateOf(byte: number): number {
  return byte & STATE_MASK
}

/** The byte with another state, the status code kept: it still tells what the engine last answered. */
export function withState(byte: number, state: number): number {
  return (byte & ~STATE_MASK) | state
}

// A code without a place in the table is kept as its class, which is how HTTP asks to read unknown codes.
function statusIndexOf(statusCode: number): number {
  const index = STATUS_CODES.findIndex((known) => known === statusCode)
  if (index >= 0) return index
  const ofClass = Math.floor(statusCode / 100) * 100
  return Math.max(
    0,
    STATUS_CODES.findIndex((known) => known === ofClass),
  )
}
