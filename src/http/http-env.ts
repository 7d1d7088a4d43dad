import type { Context, Hono } from 'hono'
import type { Log } from '../core/log.ts'
import type { Trace } from '../core/request-id.ts'

export type Scope = 'admin' | 'read' | 'collect'

/** What a route asks of its caller. */
export type Access = Scope | 'anybody'

/** What is known of a request from its first moment on. */
export interface RequestScope {
  readonly id: string
  /** Our span of the caller's trace: what outgoing calls name as their parent. */
  readonly trace: Trace
  readonly startedAt: number
  /** Its lines carry the request's id. */
  readonly log: Log
  /** Milliseconds since the request began. */
  elapsedMs(): number
}

export interface HttpEnv {
  Variables: {
    request: RequestScope
    /** Set by the gate alone: what the caller was found to satisfy. */
    admitted?: readonly Access[]
    /** The answer that already has all its headers, where there is one. */
    complete?: Response
  }
}

export type HttpApp = Hono<HttpEnv>
export type HttpContext = Context<HttpEnv>

/**
 * A subject's routes, added to the app. Each names who may use it, by `requires(scope)` or `openToAll` before its
 * handler; one that does not is never reached.
 */
export type RouteModule = (app: HttpApp) => void
