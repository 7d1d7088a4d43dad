import { html } from 'hono/html'
import { getCookie, setCookie } from 'hono/cookie'
import type { Clock } from '../core/clock.ts'
import { days } from '../core/duration.ts'
import { openToAll } from '../http/access.ts'
import type { HttpApp, HttpContext } from '../http/http-env.ts'
import { isLanguageName, type Language, LANGUAGE_COOKIE, languageOf } from './language.ts'
import { type Html, layout } from './layout.ts'
import type { Role, Session, Sessions } from './session.ts'

/** What every page needs. */
export interface PageDeps {
  readonly clock: Clock
  readonly version: string
  readonly sessions: Sessions
  /** How a page learns what has changed: told by the server, or by asking now and then. */
  readonly live: 'events' | 'polling'
  /** Who asks, as the network tells it; where nobody can tell addresses apart, logins are not limited. */
  readonly addressOf?: (c: HttpContext) => string | undefined
  /** Whether there are pages about collecting to lead to. */
  readonly hasCollect: boolean
}

/** A request for a page by somebody who may have it. */
export interface Call {
  readonly c: HttpContext
  readonly session: Session
  readonly language: Language
  readonly now: number
  /** Of a form; empty where none was sent. */
  readonly fields: ReadonlyMap<string, string>
}

export interface Shown {
  readonly title: string
  readonly body: Html
  readonly status?: 200 | 400 | 403 | 404 | 409 | 429
  readonly hasPlots?: boolean
  /** Shows what goes on: where no script follows it, the browser asks again by itself. */
  readonly isLive?: boolean
}

export interface PageRoute {
  readonly method: 'get' | 'post'
  readonly path: string
  /** Who may ask for it: `read` is for both. */
  readonly role: Role
}

export const SESSION_COOKIE = 'sluice_session'

/** No script and no style that is not a file of ours, and no other host. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ')

type Handle = (call: Call) => Response | Shown | Promise<Response | Shown>

/**
 * Adds a page. The gate lets everybody through to here, since browsers send no bearer token: this is the one place where
 * a session is asked for, and where a form must show that it is ours.
 */
export function addPage(app: HttpApp, deps: PageDeps, route: PageRoute, handle: Handle): void {
  app.on(route.method.toUpperCase(), route.path, openToAll(), async (c) => {
    // What programs ask for at the root is not here, and was never: only browsers are shown something.
    if (route.path === '/' && !isBrowser(c)) return c.notFound()
    const now = deps.clock.now()
    const chosen = c.req.query('lang')
    if (route.method === 'get' && isLanguageName(chosen)) return chooseLanguage(c, chosen)
    const language = languageOf(c)
    const session = await deps.sessions.read(getCookie(c, SESSION_COOKIE), now)
    if (!session) return c.redirect(`/login?to=${encodeURIComponent(placeOf(c))}`, 303)
    const fields = route.method === 'post' ? await fieldsOf(c) : new Map<string, string>()
    const call = { c, session, language, now, fields }
    const refused = refusalOf(call, deps, route)
    if (refused) return show(call, deps, refused)
    const answer = await handle(call)
    return answer instanceof Response ? answer : show(call, deps, answer)
  })
}

/** Programs do not ask for pages. */
export const isBrowser = (c: HttpContext) => /\btext\/html\b/.test(c.req.header('accept') ?? '')

/** A whole page as it is sent; also for those that need no session. */
export function pageResponse(c: HttpContext, page: Html, status: Shown['status'] = 200) {
  c.header('Content-Security-Policy', POLICY)
  c.header('Cache-Control', 'no-store')
  c.header('Vary', 'Cookie, Accept-Language, Accept-Encoding')
  return c.html(page, status)
}

function show(
  call: Call,
  deps: PageDeps,
  { title, body, status, hasPlots = false, isLive = false }: Shown,
) {
  const { c, language, session } = call
  const page = layout({
    title,
    body,
    language,
    session,
    version: deps.version,
    path: c.req.path,
    hasCollect: deps.hasCollect,
    hasPlots,
    isLive,
  })
  return pageResponse(c, page, status)
}

function refusalOf(
  { session, language: { words }, fields, c }: Call,
  { sessions }: PageDeps,
  { method, role }: PageRoute,
): Shown | undefined {
  if (role === 'admin' && session.role !== 'admin') return refused(words.notAllowed)
  if (method === 'get') return undefined
  const isOurs = isFromHere(c) && sessions.isFormToken(session, fields.get('form_token') ?? '')
  return isOurs ? undefined : refused(words.formStale)
}

function refused(message: string): Shown {
  return { title: message, body: html`<h1>${message}</h1>`, status: 403 }
}

/** Browsers tell where a form was sent from; one that says nothing has no foreign page to send it. */
export function isFromHere(c: HttpContext): boolean {
  const from = c.req.header('sec-fetch-site')
  if (from !== undefined) return from === 'same-origin' || from === 'none'
  const origin = c.req.header('origin')
  return origin === undefined || URL.parse(origin)?.host === c.req.header('host')
}

export async function fieldsOf(c: HttpContext): Promise<ReadonlyMap<string, string>> {
  const body = await c.req.parseBody({ all: false })
  return new Map(
    Object.entries(body).flatMap(([name, value]) =>
      typeof value === 'string' ? [[name, value] as const] : [],
    ),
  )
}

export function chooseLanguage(c: HttpContext, language: string): Response {
  setCookie(c, LANGUAGE_COOKIE, language, {
    path: '/',
    sameSite: 'Strict',
    httpOnly: true,
    maxAge: days(365) / 1_000,
  })
  const url = new URL(c.req.url)
  url.searchParams.delete('lang')
  return c.redirect(`${url.pathname}${url.search}`, 303)
}

function placeOf(c: HttpContext): string {
  return c.req.method === 'GET' ? c.req.path : '/'
}

/** Behind a proxy that speaks TLS the browser's side is the one that counts. */
export function isSecure(c: HttpContext): boolean {
  const forwarded = c.req.header('x-forwarded-proto')
  return (forwarded ?? new URL(c.req.url).protocol.slice(0, -1)) === 'https'
}

/** The address of this server, as the visitor has it. */
export function originOf(c: HttpContext): string {
  return `${isSecure(c) ? 'https' : 'http'}://${new URL(c.req.url).host}`
}
