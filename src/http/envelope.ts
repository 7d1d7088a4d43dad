import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { ERROR_CODES, type ErrorCode } from './error-codes.ts'
import type { HttpContext } from './http-env.ts'
import { jsonAnswer } from './standing-headers.ts'

/** Why a request was not done. The message tells what happened, why, and what to do next. */
export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
  /** Stands beside `error`, where there is more to tell than words: who holds the lock, which items failed. */
  readonly fields?: Readonly<Record<string, unknown>>
  /** Where the code alone does not decide it: PARTIAL_FAIL. */
  readonly retryable?: boolean
}

interface Meta {
  readonly request_id: string
  readonly latency_ms: number
}

/** Extra `meta` fields stand beside the ones every answer has: the collect side adds `cookie_used`. */
interface AnswerOptions {
  readonly status?: ContentfulStatusCode
  readonly meta?: Readonly<Record<string, unknown>>
}

/** A success: `fields` stand beside `success` and `meta`. */
export function answer(
  c: HttpContext,
  fields: Readonly<Record<string, unknown>>,
  { status = 200, meta = {} }: AnswerOptions = {},
): Response {
  return jsonAnswer(c, { success: true, ...fields, meta: { ...metaOf(c), ...meta } }, status)
}

/** The opposite of `answer`: the status and whether to retry come from the code. */
export function refuse(
  c: HttpContext,
  refusal: Refusal,
  { meta = {} }: Pick<AnswerOptions, 'meta'> = {},
): Response {
  const { status } = ERROR_CODES[refusal.code]
  return jsonAnswer(c, errorEnvelope(refusal, { ...metaOf(c), ...meta }), status, refusal.headers)
}

/** For the few answers given before there is a request to speak of: what arrived was not HTTP. */
export function errorEnvelope({ code, message, fields = {}, retryable }: Refusal, meta: Meta) {
  const error = { code, message, retryable: retryable ?? ERROR_CODES[code].retryable }
  return { success: false, ...fields, error, meta }
}

function metaOf(c: HttpContext): Meta {
  const request = c.get('request')
  return { request_id: request.id, latency_ms: request.elapsedMs() }
}
