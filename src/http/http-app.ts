import { Hono, type MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { compress } from 'hono/compress'
import { methodNotAllowed } from 'hono/method-not-allowed'
import { matchedRoutes } from 'hono/route'
import type { Clock } from '../core/clock.ts'
import type { Log } from '../core/log.ts'
import type { Random } from '../core/random.ts'
import { gate, type Tokens } from './access.ts'
import { refuse } from './envelope.ts'
import type { HttpApp, HttpContext, HttpEnv, RouteModule } from './http-env.ts'
import { operationsOf } from './operation.ts'
import { type Finish, loggedPath, requestScope } from './request-scope.ts'
import { httpRouter } from './router.ts'
import { addStandingHeaders, isComplete } from './standing-headers.ts'
import { refuseUnknownPath } from './unknown-path.ts'

const MAX_BODY_BYTES = 2 * 1024 * 1024

export interface HttpAppOptions {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly tokens: Tokens
  readonly modules: readonly RouteModule[]
  readonly maxBodyBytes?: number
  /** Of the line that ends a request: where another app stands before this one, that has told already. */
  readonly requestLevel?: 'info' | 'debug'
  /** Whether long texts are sent compressed; not where somebody before us does that. */
  readonly compresses?: boolean
}

/** The HTTP side of Sluice, the same on the server and on the Worker. */
export function httpApp(options: HttpAppOptions): HttpApp {
  const { tokens, modules, maxBodyBytes = MAX_BODY_BYTES, compresses = false } = options
  const app: HttpApp = new Hono<HttpEnv>({ router: httpRouter() })
  const scope = requestScope(options, finishing(app, compresses))
  const entry = gate({
    tokens,
    isOwn: (handler) => handler === scope || handler === entry,
    afterwards: limitBody((c) => ownLimit(app, c) ?? maxBodyBytes),
  })
  app.use(scope, entry)
  app.notFound(refuseUnknownPath)
  for (const addRoutes of modules) addRoutes(app)

  app.onError((error, c) => {
    const { log } = c.get('request')
    // Whoever asked has hung up: reading on failed because of that, and nobody waits for an answer.
    if (c.req.raw.signal.aborted) log.warn('http.aborted', 'The caller hung up.', { error })
    else log.error('http.failed', 'A request failed because of a bug.', { error })
    return refuse(c, {
      code: 'INTERNAL',
      message:
        'Something went wrong here. The log of the server has the details under this request_id.',
    })
  })
  return app
}

/** Pages and their files. Not JSON, which is mostly short, nor events, which must not wait for each other. */
const COMPRESSED = /^(text\/(html|css|javascript|csv)|image\/svg\+xml)\b/

const nothing = async () => {}

/**
 * What is left to do once there is an answer. Not a middleware for each: of most answers they would do nothing, and each
 * that a request goes through costs as much as to make a small answer.
 */
function finishing(app: HttpApp, compresses: boolean): Finish {
  const refuseWrongMethod = wrongMethods(app)
  const compressPage = compress({ contentTypeFilter: COMPRESSED })
  const finish = async (c: HttpContext) => {
    await refuseWrongMethod(c, nothing)
    if (isComplete(c)) return
    if (compresses) await compressPage(c, nothing)
    addStandingHeaders(c)
  }
  return (c) => (isComplete(c) && c.res.status !== 404 ? undefined : finish(c))
}

function wrongMethods(app: HttpApp): MiddlewareHandler<HttpEnv> {
  return methodNotAllowed({
    app,
    onMethodNotAllowed: (c, methods) =>
      refuse(c, {
        code: 'METHOD_NOT_ALLOWED',
        message: `${loggedPath(c)} does not take ${c.req.method}. It takes ${methods.join(', ')}.`,
        headers: { Allow: methods.join(', ') },
      }),
  })
}

/** What the matched operation says of its body. */
function ownLimit(app: HttpApp, c: HttpContext): number | undefined {
  const paths = new Set(matchedRoutes(c).map(({ path }) => path))
  return operationsOf(app).find(({ path, maxBodyBytes }) => maxBodyBytes && paths.has(path))
    ?.maxBodyBytes
}

function limitBody(limitOf: (c: HttpContext) => number): MiddlewareHandler<HttpEnv> {
  return (c, next) => {
    // They have none, and to look for it costs as much as the rest of a small answer.
    if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
    const maxSize = limitOf(c)
    const limit = bodyLimit({
      maxSize,
      onError: () =>
        refuse(c, {
          code: 'PAYLOAD_TOO_LARGE',
          message: `The body is larger than ${maxSize} bytes. Send it in parts.`,
        }),
    })
    return limit(c, next)
  }
}
