import type { ContentfulStatusCode } from 'hono/utils/http-status'

/** What a caller can be told when it does not get what it asked for. */
export type ErrorCode =
  | 'INVALID_INPUT'
  | 'UNSUPPORTED_OPERATION'
  | 'UNAUTHORIZED'
  | 'FORBIDDEN'
  | 'NOT_FOUND'
  | 'METHOD_NOT_ALLOWED'
  | 'REQUEST_TIMEOUT'
  | 'ALREADY_EXISTS'
  | 'LOCKED'
  | 'LOCK_LOST'
  | 'PAYLOAD_TOO_LARGE'
  | 'RATE_LIMITED'
  | 'HEADERS_TOO_LARGE'
  | 'INTERNAL'
  | 'NOT_READY'
  | 'PARTIAL_FAIL'
  | 'COOKIE_INVALID'
  | 'COOKIE_EXHAUSTED'
  | 'PLATFORM_ERROR'
  | 'NETWORK_ERROR'
  | 'TIMEOUT_ERROR'

interface WireError {
  readonly status: ContentfulStatusCode
  /** Whether the same request may succeed later, with nothing changed. */
  readonly retryable: boolean
  /** What whoever asked does now, as a program decides it. */
  readonly action:
    | 'correct the request'
    | 'choose another name'
    | 'start anew'
    | 'use another token'
    | 'tell the operator'
    | 'pause and alert'
    | 'try again'
    | 'try again later'
    | 'try the failed items again'
    | 'switch the cookie'
  /** How often the same is asked again at most. */
  readonly mostRetries: number
}

const final = (action: WireError['action']) =>
  ({ retryable: false, action, mostRetries: 0 }) as const
const passing = (action: WireError['action'], mostRetries: number) =>
  ({ retryable: true, action, mostRetries }) as const

/** Decided here and nowhere else (SPEC C13); a code without a line does not compile. */
export const ERROR_CODES = {
  INVALID_INPUT: { status: 400, ...final('correct the request') },
  UNSUPPORTED_OPERATION: { status: 400, ...final('correct the request') },
  UNAUTHORIZED: { status: 401, ...final('use another token') },
  FORBIDDEN: { status: 403, ...final('use another token') },
  NOT_FOUND: { status: 404, ...final('correct the request') },
  METHOD_NOT_ALLOWED: { status: 405, ...final('correct the request') },
  REQUEST_TIMEOUT: { status: 408, ...passing('try again', 2) },
  ALREADY_EXISTS: { status: 409, ...final('choose another name') },
  LOCKED: { status: 409, ...passing('try again later', 3) },
  LOCK_LOST: { status: 409, ...final('start anew') },
  PAYLOAD_TOO_LARGE: { status: 413, ...final('correct the request') },
  RATE_LIMITED: { status: 429, ...passing('try again later', 3) },
  HEADERS_TOO_LARGE: { status: 431, ...final('correct the request') },
  INTERNAL: { status: 500, ...final('tell the operator') },
  NOT_READY: { status: 503, ...passing('try again later', 3) },
  /** Retryable only when one of its failed items is: the answer says. */
  PARTIAL_FAIL: { status: 207, ...passing('try the failed items again', 2) },
  COOKIE_INVALID: { status: 401, ...passing('switch the cookie', 3) },
  COOKIE_EXHAUSTED: { status: 503, ...final('pause and alert') },
  PLATFORM_ERROR: { status: 502, ...passing('try again', 2) },
  NETWORK_ERROR: { status: 503, ...passing('try again later', 3) },
  TIMEOUT_ERROR: { status: 504, ...passing('try again', 2) },
} as const satisfies Record<ErrorCode, WireError>
