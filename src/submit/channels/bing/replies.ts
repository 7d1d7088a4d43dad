import { describeHttpFailure, type HttpFailure } from '../../../core/http.ts'
import { fail, ok, type Result } from '../../../core/result.ts'
import { retryAfterMs } from '../../../core/retry.ts'
import type { StopReason } from '../channel.ts'
import { MAX_MESSAGE_LENGTH } from './limits.ts'

/** Everything a call can come to, other than success. */
export type Problem =
  | 'bad-key'
  | 'site-not-in-account'
  | 'quota-used-up'
  | 'batch-too-big'
  | 'throttled'
  | 'blocked'
  | 'rate-limited'
  | 'invalid-url'
  | 'server-error'
  | 'no-answer'
  | 'unreachable'
  | 'wrong-address'
  | 'unexplained'
  | 'aborted'
  | 'not-sent'

export interface Meaning {
  /** Whether the URLs may have been taken from the quota all the same. What is unknown stays spent. */
  readonly counted: 'no' | 'unknown'
  readonly retry: 'never' | 'rate-limit' | 'backoff'
  /** The key for good, the key at this site for good, or the key for a while. */
  readonly rests?: 'key' | 'site' | 'cool-down'
  /** What becomes of the URLs. Left ones were not at fault and go on as if never tried. */
  readonly urls: 'failed' | 'left' | 'rejected'
  /** Undefined: the next batch may fare better. */
  readonly stops: StopReason | undefined
  /** For people, after what Bing said: why, and what to do next. */
  readonly advice: string
}

/** What each problem means and what follows from it (SPEC B03). Decided here and nowhere else. */
const MEANINGS = {
  'bad-key': {
    counted: 'no',
    retry: 'never',
    rests: 'key',
    urls: 'failed',
    stops: 'refused',
    advice:
      'the API key is not valid. Bing is switched off until the key changes: copy it anew from Bing Webmaster Tools (Settings, API access) into bingApiKey.',
  },
  'site-not-in-account': {
    counted: 'no',
    retry: 'never',
    rests: 'site',
    urls: 'failed',
    stops: 'refused',
    advice:
      'the site is not in the account of this API key. Bing is switched off for the site until the account lists it or the key changes: add and verify the site in Bing Webmaster Tools.',
  },
  'quota-used-up': {
    counted: 'no',
    retry: 'never',
    urls: 'left',
    stops: 'quota',
    advice: "the day's quota is used up. The rest goes on tomorrow.",
  },
  'batch-too-big': {
    counted: 'no',
    retry: 'never',
    urls: 'left',
    stops: 'quota',
    advice: 'less of the quota is left than was counted here. What fits is sent again.',
  },
  throttled: {
    counted: 'no',
    retry: 'never',
    rests: 'cool-down',
    urls: 'failed',
    stops: 'rate-limited',
    advice:
      'the account made too many calls. Every site with this API key leaves Bing alone for over an hour; nothing to do.',
  },
  blocked: {
    counted: 'no',
    retry: 'never',
    rests: 'cool-down',
    urls: 'failed',
    stops: 'refused',
    advice:
      'the account is blocked. Look for a message in Bing Webmaster Tools; Bing is asked again in over an hour.',
  },
  'rate-limited': {
    counted: 'no',
    retry: 'rate-limit',
    urls: 'failed',
    stops: 'rate-limited',
    advice: 'too many requests, also after waiting. The next run sends again.',
  },
  'invalid-url': {
    counted: 'no',
    retry: 'never',
    urls: 'rejected',
    stops: undefined,
    advice:
      'it does not take some of the URLs. They are skipped until their lastmod changes; check that they belong to the site.',
  },
  'server-error': {
    counted: 'unknown',
    retry: 'backoff',
    urls: 'failed',
    stops: 'unavailable',
    advice: 'it has a problem of its own. The next run sends again.',
  },
  'no-answer': {
    counted: 'unknown',
    retry: 'backoff',
    urls: 'failed',
    stops: 'unavailable',
    advice: 'whether the URLs were taken is not known. The next run sends them again.',
  },
  unreachable: {
    counted: 'no',
    retry: 'backoff',
    urls: 'failed',
    stops: 'unavailable',
    advice: 'nothing was sent. The next run sends again.',
  },
  'wrong-address': {
    counted: 'no',
    retry: 'never',
    urls: 'failed',
    stops: 'refused',
    advice: 'check BING_API_URL.',
  },
  unexplained: {
    counted: 'no',
    retry: 'never',
    urls: 'failed',
    stops: undefined,
    advice: 'no known reason. The next run sends again; check BING_API_URL if it stays so.',
  },
  aborted: {
    counted: 'unknown',
    retry: 'never',
    urls: 'left',
    stops: 'signal',
    advice: 'the run was stopped before the answer. The next run sends again.',
  },
  'not-sent': {
    counted: 'no',
    retry: 'never',
    urls: 'left',
    stops: 'budget',
    advice: 'the run was over before its turn came. The next run sends.',
  },
} as const satisfies Record<Problem, Meaning>

export function meaningOf({ problem }: { readonly problem: Problem }): Meaning {
  return MEANINGS[problem]
}

export interface BingFailure {
  readonly problem: Problem
  /** 0 where no answer came. */
  readonly status: number
  /** As Bing gave it: a number, a number in a string, or a word. */
  readonly errorCode: string | undefined
  /** Bing's own words, or what the network did. */
  readonly message: string
  readonly retryAfterMs?: number
}

export interface BingAnswer {
  readonly status: number
  readonly retryAfter: string | null
  /** Undefined where it broke off. */
  readonly body: string | undefined
}

/** What `d` held, where all is well: 2xx and no ErrorCode but 0. */
export function readAnswer(answer: BingAnswer, now: number): Result<unknown, BingFailure> {
  const { status, retryAfter, body } = answer
  const isSuccess = status >= 200 && status < 300
  const failure = (problem: Problem, said: Partial<Said> = {}) => {
    const waitMs = retryAfterMs(retryAfter, now)
    return fail({
      problem,
      status,
      errorCode: said.errorCode,
      message: said.message ?? '',
      ...(waitMs !== undefined && { retryAfterMs: waitMs }),
    })
  }
  if (body === undefined) return failure('no-answer', { message: 'the answer broke off' })
  const parsed = parseJson(body)
  const said = saidIn(parsed)
  if (!isSuccess || said.errorCode !== undefined) return failure(problemOf(status, said), said)
  // A page of a proxy says 200 as well, and has taken nothing.
  if (parsed === undefined && body.trim() !== '') {
    return failure('no-answer', { message: 'the answer is not JSON' })
  }
  return ok(payloadOf(parsed))
}

interface Said {
  /** Undefined when absent or 0. */
  readonly errorCode: string | undefined
  readonly message: string | undefined
}

/** Microsoft.Bing.Webmaster.Api.ApiErrorCode; 2 is UnknownError, whose message tells. */
const BY_CODE: Readonly<Record<string, Problem>> = {
  '1': 'server-error',
  '3': 'bad-key',
  '4': 'throttled',
  '5': 'throttled',
  '6': 'blocked',
  '7': 'invalid-url',
  '14': 'site-not-in-account',
}

/** Bing's messages, the names of its codes, and the seeds' words for them. */
const BY_WORDS: readonly (readonly [RegExp, Problem])[] = [
  [/quota remaining for today/i, 'batch-too-big'],
  [/exceeded your \w+ url submission quota|quota_?exceeded/i, 'quota-used-up'],
  [/invalid_?api_?key/i, 'bad-key'],
  [/not_?authorized/i, 'site-not-in-account'],
  [/throttle_?(user|host)/i, 'throttled'],
  [/user_?blocked/i, 'blocked'],
  [/invalid[_ ]?urls?\b/i, 'invalid-url'],
]

/** Seeds 002 and 003, where the body does not tell. */
const BY_STATUS: Readonly<Record<number, Problem>> = {
  401: 'bad-key',
  403: 'quota-used-up',
  408: 'server-error',
  429: 'rate-limited',
}

function problemOf(status: number, { errorCode, message }: Said): Problem {
  const words = `${errorCode ?? ''} ${message ?? ''}`
  const byBody = BY_CODE[errorCode ?? ''] ?? BY_WORDS.find(([pattern]) => pattern.test(words))?.[1]
  if (byBody) return byBody
  if (status >= 500) return 'server-error'
  // Without a word of explanation a 400 is the seeds' "invalid URL"; with one it is something else.
  if (status === 400 && errorCode === undefined && message === undefined) return 'invalid-url'
  return BY_STATUS[status] ?? 'unexplained'
}

export function readHttpFailure(failure: HttpFailure): BingFailure {
  return {
    problem: problemOfHttp(failure),
    status: 0,
    errorCode: undefined,
    message: describeHttpFailure(failure),
  }
}

/** Where nothing was ever connected to, nothing was counted. Other runtimes have other codes: unknown, then. */
const NEVER_CONNECTED =
  /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|CONNECT_TIMEOUT)$/

function problemOfHttp(failure: HttpFailure): Problem {
  switch (failure.kind) {
    case 'aborted':
      return 'aborted'
    case 'invalid-url':
    case 'private-address':
    case 'too-many-redirects':
      return 'wrong-address'
    case 'network':
      return NEVER_CONNECTED.test(failure.code) ? 'unreachable' : 'no-answer'
    case 'timed-out':
    case 'too-large':
      return 'no-answer'
  }
}

/** "Quota remaining for today: 10, Submitted: 32" → 10. */
export function quotaLeftIn({ message }: BingFailure): number {
  return Number(/quota remaining for today\s*:\s*(\d+)/i.exec(message)?.[1] ?? 0)
}

/** Those of `urls` that the message names. */
export function urlsNamedIn({ message }: BingFailure, urls: readonly string[]): string[] {
  const named = new Set(message.split(/[\s,;"'<>[\]]+/))
  return urls.filter((url) => named.has(url))
}

/** For people: what happened, why, what to do next. */
export function describeBingFailure(failure: BingFailure): string {
  const { status, errorCode } = failure
  const { advice } = meaningOf(failure)
  const message = printableMessage(failure)
  if (status === 0) return `${message} ${advice.charAt(0).toUpperCase()}${advice.slice(1)}`
  const code = errorCode === undefined ? '' : `, ErrorCode ${errorCode}`
  const words = message === '' ? '' : ` "${message}"`
  return `Bing answered ${status}${code}${words}: ${advice}`
}

export function printableMessage({ message }: BingFailure): string {
  return message.length > MAX_MESSAGE_LENGTH ? `${message.slice(0, MAX_MESSAGE_LENGTH)}…` : message
}

function saidIn(parsed: unknown): Said {
  const outer = fieldsOf(parsed)
  const { ErrorCode, Message } =
    'ErrorCode' in outer ? outer : { ...outer, ...fieldsOf(outer['d']) }
  const code = typeof ErrorCode === 'number' || typeof ErrorCode === 'string' ? `${ErrorCode}` : ''
  return {
    errorCode: code === '' || code === '0' ? undefined : code,
    message: typeof Message === 'string' ? Message : undefined,
  }
}

function payloadOf(parsed: unknown): unknown {
  return fieldsOf(parsed)['d']
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Record<string, unknown>)
    : {}
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
