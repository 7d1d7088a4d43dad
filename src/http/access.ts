import type { Handler, MiddlewareHandler } from 'hono'
import { matchedRoutes } from 'hono/route'
import { equalInConstantTime, type Secret } from '../core/secret.ts'
import { type Refusal, refuse } from './envelope.ts'
import type { Access, HttpContext, HttpEnv, Scope } from './http-env.ts'

export interface Tokens {
  readonly admin: Secret
  readonly read?: Secret | undefined
  readonly collect?: Secret | undefined
  /** Where an operator finds the tokens: told to whoever comes without one. */
  readonly advice: string
}

const GRANTS: Readonly<Record<Scope, readonly Scope[]>> = {
  admin: ['admin', 'read', 'collect'],
  read: ['read'],
  collect: ['collect'],
}

const SCOPES = ['admin', 'read', 'collect'] as const

/** What each guard declares. Only the gate reads it. */
const declared = new WeakMap<object, Access>()

/** Handlers that are their own guard: what may follow them is not reached with their scope. */
const endings = new WeakSet<object>()

/** Stands before a route's handler, or with `app.use` before many: who comes further must hold `scope`. */
export const requires = (scope: Scope) => guard(scope)

/** For what reveals and changes nothing. */
export const openToAll = () => guard('anybody')

function guard(access: Access): MiddlewareHandler<HttpEnv> {
  const marker: MiddlewareHandler<HttpEnv> = (c, next) => {
    demand(c, access)
    return next()
  }
  declared.set(marker, access)
  return marker
}

/** A handler and the guard before it in one: each that a request goes through costs it something. */
export function guarded(
  access: Access,
  handle: (c: HttpContext) => Response | Promise<Response>,
): Handler<HttpEnv> {
  const handler: Handler<HttpEnv> = (c) => {
    demand(c, access)
    return handle(c)
  }
  declared.set(handler, access)
  endings.add(handler)
  return handler
}

/** A handler that calls `next` would otherwise lead past the gate to a route with another scope. */
function demand(c: HttpContext, access: Access): void {
  if (!c.get('admitted')?.includes(access)) {
    throw new Error(`The gate did not decide on "${access}".`)
  }
}

export interface GateOptions {
  readonly tokens: Tokens
  /** The middleware that stands before every route and is none. */
  readonly isOwn: (handler: object) => boolean
  /** Runs once the caller is admitted: strangers cannot make the server read what they send. */
  readonly afterwards: MiddlewareHandler<HttpEnv>
}

/**
 * Decides for every request before any route sees it. A route that declared nothing is a bug, and its handler
 * is never called; what no route matches goes on to its 404.
 */
export function gate({ tokens, isOwn, afterwards }: GateOptions): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    const needed = accessOf(c, isOwn)
    if (!needed) return next()
    if (needed.length === 0) {
      throw new Error(
        'This route declares no scope: put requires(…) or openToAll() before it, or use guarded(…).',
      )
    }
    const refusal = refusalOf(c, needed, tokens)
    if (refusal) return Promise.resolve(refuse(c, refusal))
    c.set('admitted', needed)
    return afterwards(c, next)
  }
}

/**
 * What the guards up to the first handler ask for; undefined where no route matches. Hono keeps the order in which
 * routes were added.
 */
function accessOf(c: HttpContext, isOwn: GateOptions['isOwn']): readonly Access[] | undefined {
  let needed: Access[] | undefined
  for (const { handler } of matchedRoutes(c)) {
    if (isOwn(handler)) continue
    needed ??= []
    const access = declared.get(handler)
    if (access === undefined) break
    needed.push(access)
    if (endings.has(handler)) break
  }
  return needed
}

function refusalOf(c: HttpContext, needed: readonly Access[], tokens: Tokens): Refusal | undefined {
  const scopes = needed.filter((access) => access !== 'anybody')
  if (scopes.length === 0) return undefined

  const presented = /^Bearer +(\S+)$/i.exec(c.req.header('authorization') ?? '')?.[1]
  if (presented === undefined) {
    return unauthorized(
      `This needs a token with the scope ${namesOf(scopes)}. Send it as "Authorization: Bearer <token>". ${tokens.advice}`,
    )
  }
  const granted = grantedScopes(presented, tokens)
  if (granted.size === 0) {
    return unauthorized(`The token is not one of this server's. ${tokens.advice}`, 'invalid_token')
  }
  if (scopes.every((scope) => granted.has(scope))) return undefined
  return {
    code: 'FORBIDDEN',
    message: `The token is valid, but this needs the scope ${namesOf(scopes)}. Use a token that has it. ${tokens.advice}`,
    headers: challenge('insufficient_scope', scopes),
  }
}

const namesOf = (scopes: readonly Scope[]) => scopes.join(' and ')

/** What a token lets do. Every one is compared, whichever matches first: the time tells nothing. */
export function grantedScopes(presented: string, tokens: Tokens): ReadonlySet<Scope> {
  const granted = new Set<Scope>()
  for (const scope of SCOPES) {
    const expected = tokens[scope]?.reveal()
    if (expected === undefined || !equalInConstantTime(presented, expected)) continue
    for (const one of GRANTS[scope]) granted.add(one)
  }
  return granted
}

function unauthorized(message: string, error?: 'invalid_token'): Refusal {
  return { code: 'UNAUTHORIZED', message, headers: challenge(error) }
}

function challenge(error?: string, scopes: readonly Scope[] = []): Record<string, string> {
  const parts = [
    'realm="sluice"',
    ...(error ? [`error="${error}"`] : []),
    ...(scopes.length > 0 ? [`scope="${scopes.join(' ')}"`] : []),
  ]
  return { 'WWW-Authenticate': `Bearer ${parts.join(', ')}` }
}
