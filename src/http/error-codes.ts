import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What a caller can be told when it does not get what it asked for. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'ALREADY_EXISTS'
  | 'LOCKED'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'NOT_READY'

interface WireError {
  readonly status: ContentfulStatusCode
  /** Whether the same request may succeed later, with nothing changed. */
  readonly retryable: boolean
}

/** Decided here and nowhere else; a code without a line does not compile. */
export const ERROR_CODES = {
  INVALID_INPUT: { status: 400, retryable: false },
  UNAUTHORIZED: { status: 401, retryable: false },
  FORBIDDEN: { status: 403, retryable: false },
  NOT_FOUND: { status: 404, retryable: false },
  METHOD_NOT_ALLOWED: { status: 405, retryable: false },
  REQUEST_TIMEOUT: { status: 408, retryable: true },
  ALREADY_EXISTS: { status: 409, retryable: false },
  LOCKED: { status: 409, retryable: true },
  PAYLOAD_TOO_LARGE: { status: 413, retryable: false },
  RATE_LIMITED: { status: 429, retryable: true },
  HEADERS_TOO_LARGE: { status: 431, retryable: false },
  INTERNAL: { status: 500, retryable: false },
  NOT_READY: { status: 503, retryable: true },
} as const satisfies Record<ErrorCode, WireError>
