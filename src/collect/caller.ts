import { childTrace, type Trace, traceparentOf } from '../core/request-id.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import type { Origin } from '../stores/outbox-store.ts'

/** On whose behalf something is done: goes with it through logs, outgoing requests and the outbox (SPEC C06). */
export interface Caller extends Origin {
  /** `x-request-id` and `traceparent`, for outgoing requests. */
  readonly headers: Readonly<Record<string, string>>
  /** Its lines carry the request's id. */
  readonly log: Log
}

export function callerFrom(requestId: string, trace: Trace, log: Log): Caller {
  const headers = { 'x-request-id': requestId, traceparent: traceparentOf(trace) }
  return { requestId, headers, log }
}

/** For what nobody asked: the schedule's own work, under an id of its own. */
export function ownCaller({ random, log }: { random: Random; log: Log }): Caller {
  const requestId = random.uuid()
  const trace = childTrace(undefined, random)
  return callerFrom(requestId, trace, log.with({ requestId, traceId: trace.traceId }))
}
