import type { ContentfulStatusCode } from 'hono/utils/http-status'
import { answer, type Refusal, refuse } from '../../http/envelope.ts'
import { ERROR_CODES } from '../../http/error-codes.ts'
import type { HttpContext } from '../../http/http-env.ts'
import { type Caller, callerFrom } from '../caller.ts'
import { CODE_OF, type CollectFailure, describeFailure } from '../failures.ts'

interface Used {
  /** Names, never values. */
  readonly cookieUsed?: string | undefined
}

const metaOf = ({ cookieUsed }: Used) => ({ cookie_used: cookieUsed ?? null })

/** SPEC C12: what was asked for is in `data`. */
export function answerWith(
  c: HttpContext,
  data: Readonly<Record<string, unknown>>,
  { status = 200, ...used }: Used & { readonly status?: ContentfulStatusCode } = {},
): Response {
  return answer(c, { data }, { status, meta: metaOf(used) })
}

/** For what does not even read. */
export function refuseWith(c: HttpContext, refusal: Refusal): Response {
  return refuse(c, refusal, { meta: metaOf({}) })
}

export function refuseFailure(c: HttpContext, failure: CollectFailure, used: Used = {}): Response {
  const refusal: Refusal = {
    code: CODE_OF[failure.kind],
    message: describeFailure(failure),
    ...(failure.kind === 'execution-taken' && {
      fields: { data: { holder: failure.holder, heartbeat_at: isoOf(failure.heartbeatAt) } },
    }),
    ...(failure.kind === 'host-resting' && {
      headers: { 'Retry-After': String(Math.ceil(failure.forMs / 1_000)) },
    }),
  }
  return refuse(c, refusal, { meta: metaOf(used) })
}

export interface WireItem extends Readonly<Record<string, unknown>> {
  readonly success: boolean
  readonly error?: { readonly retryable: boolean }
}

export function wireFailure(failure: CollectFailure) {
  const code = CODE_OF[failure.kind]
  return { code, message: describeFailure(failure), retryable: ERROR_CODES[code].retryable }
}

/** What stands where in the answer to a batch. */
type Placing = (
  items: readonly WireItem[],
  summary: Readonly<Record<string, number>>,
) => Readonly<Record<string, unknown>>

/** SPEC C08: each item for itself; PARTIAL_FAIL as soon as one failed, retryable when one of those is. */
export function answerBatch(
  c: HttpContext,
  items: readonly WireItem[],
  { place, ...used }: Used & { readonly place: Placing },
): Response {
  const failed = items.filter(({ success }) => !success)
  const summary = {
    total: items.length,
    succeeded: items.length - failed.length,
    failed: failed.length,
  }
  const fields = place(items, summary)
  const meta = metaOf(used)
  if (failed.length === 0) return answer(c, fields, { meta })
  return refuse(
    c,
    {
      code: 'PARTIAL_FAIL',
      message: `${failed.length} of ${items.length} failed; each item says why. Ask again for those whose error is retryable.`,
      retryable: failed.some(({ error }) => error?.retryable === true),
      fields,
    },
    { meta },
  )
}

export function callerOf(c: HttpContext): Caller {
  const { id, trace, log } = c.get('request')
  return callerFrom(id, trace, log)
}

export const isoOf = (at: number) => new Date(at).toISOString()
export const isoOrNull = (at: number | undefined) => (at === undefined ? null : isoOf(at))
