import type { MiddlewareHandler } from 'hono'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import { childTrace, parseTraceparent, requestIdFrom } from '../core/request-id.ts'
import type { HttpContext, HttpEnv } from './http-env.ts'

const MAX_LOGGED_PATH = 500

export interface RequestScopeOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly requestLevel?: 'info' | 'debug'
}

/** Completes an answer before it is told of; nothing where it is complete. */
export type Finish = (c: HttpContext) => Promise<void> | undefined

/** Gives each request its id, its span and its log; ends it with one line. */
export function requestScope(
  { clock, random, log, requestLevel = 'info' }: RequestScopeOptions,
  finish: Finish,
): MiddlewareHandler<HttpEnv> {
  return async (c, next) => {
    const id = requestIdFrom(c.req.header('x-request-id'), random)
    const trace = childTrace(parseTraceparent(c.req.header('traceparent')), random)
    const startedAt = clock.now()
    const elapsedMs = () => clock.now() - startedAt
    const own = log.with({ requestId: id, traceId: trace.traceId })
    c.set('request', { id, trace, startedAt, elapsedMs, log: own })

    await next()
    const finishing = finish(c)
    if (finishing) await finishing

    const { status } = c.res
    const { method } = c.req
    const path = loggedPath(c)
    const ms = elapsedMs()
    own[requestLevel]('http.request', `${method} ${path} ${status}`, { method, path, status, ms })
  }
}

/** Without its query, which may hold keys, and still encoded: no control character gets into a line. */
export function loggedPath(c: HttpContext): string {
  const path = PATH.exec(c.req.url)?.[1] ?? c.req.path
  return path.length > MAX_LOGGED_PATH ? `${path.slice(0, MAX_LOGGED_PATH)}…` : path
}

/** Of a whole address: to parse it once more would cost as much as all the rest of the line. */
const PATH = /^[a-z]+:\/\/[^/?#]*([^?#]*)/
