/** What is known of a statement that gave no answer. */
export type Undone =
  /** Certainly not done: never sent, or rolled back because of others. */
  | 'not-done'
  /** The connection was lost in between: done or not, nobody knows. */
  | 'unknown'
  /** The database refused it, and would again. */
  | 'refused'

const NOT_DONE = new Set([
  '40001', // serialization_failure
  '40P01', // deadlock_detected
  '53300', // too_many_connections
  '57P03', // cannot_connect_now
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'CONNECT_TIMEOUT',
  'CONNECTION_ENDED',
])

const UNKNOWN = new Set([
  '57P01', // admin_shutdown
  '57P02', // crash_shutdown
  '57P05', // idle_session_timeout
  'ECONNRESET',
  'EPIPE',
  'ETIMEDOUT',
  'CONNECTION_CLOSED',
  'CONNECTION_DESTROYED',
])

export function undoneBy(error: unknown): Undone {
  const code = codeOf(error)
  if (NOT_DONE.has(code)) return 'not-done'
  return UNKNOWN.has(code) || code.startsWith('08') ? 'unknown' : 'refused'
}

/** Whether the connection it happened on is of no more use. */
export function isLost(error: unknown): boolean {
  const code = codeOf(error)
  return undoneBy(error) !== 'refused' && code !== '40001' && code !== '40P01'
}

/** The driver's own error carries the statement's values and the rows it was about: none of that may reach a log. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError'
  readonly code: string

  constructor(error: unknown) {
    super(messageOf(error))
    this.code = codeOf(error)
  }
}

function messageOf(error: unknown): string {
  if (isLost(error)) return `The database does not answer (${codeOf(error)}).`
  const said = error instanceof Error ? error.message : String(error)
  return `The database refused: ${said} (${codeOf(error)})`
}

function codeOf(error: unknown): string {
  return error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
}
