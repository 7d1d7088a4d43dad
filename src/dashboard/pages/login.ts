import { html } from 'hono/html'
import { deleteCookie, getCookie, setCookie } from 'hono/cookie'
import { grantedScopes, openToAll, type Tokens } from '../../http/access.ts'
import type { HttpContext, RouteModule } from '../../http/http-env.ts'
import { isLanguageName, type Language, languageOf } from '../language.ts'
import { layout } from '../layout.ts'
import type { LoginLimit } from '../login-limit.ts'
import {
  addPage,
  chooseLanguage,
  fieldsOf,
  isFromHere,
  isSecure,
  type PageDeps,
  pageResponse,
  SESSION_COOKIE,
} from '../page.ts'
import { notice } from '../parts.ts'
import { type Role, SESSION_MS } from '../session.ts'

export interface LoginOptions extends PageDeps {
  readonly tokens: Tokens
  readonly loginLimit: LoginLimit
}

/** The token once; from then on a signed cookie that no script can read and no other site can send. */
export function loginPages(options: LoginOptions): RouteModule {
  const { clock, sessions, tokens, addressOf, loginLimit: limit } = options
  return (app) => {
    app.get('/login', openToAll(), async (c) => {
      const chosen = c.req.query('lang')
      if (isLanguageName(chosen)) return chooseLanguage(c, chosen)
      const session = await sessions.read(getCookie(c, SESSION_COOKIE), clock.now())
      if (session) return c.redirect(safePlace(c.req.query('to')), 303)
      const { words } = languageOf(c)
      return loginPage(c, options, {
        to: c.req.query('to'),
        ...(c.req.query('out') === '1' && { message: words.loggedOut }),
      })
    })

    app.post('/login', openToAll(), async (c) => {
      const fields = await fieldsOf(c)
      const { words } = languageOf(c)
      const to = fields.get('to')
      if (!isFromHere(c))
        return loginPage(c, options, { to, message: words.formStale, status: 403 })
      const address = addressOf?.(c)
      const now = clock.now()
      const waitMs = address === undefined ? 0 : limit.waitMs(address, now)
      if (waitMs > 0) return tooMany(c, options, { to, waitMs })
      const role = roleOf(grantedScopes((fields.get('token') ?? '').trim(), tokens))
      if (!role) {
        if (address !== undefined) limit.failed(address, now)
        return loginPage(c, options, { to, message: words.tokenWrong, status: 403 })
      }
      setCookie(c, SESSION_COOKIE, await sessions.open(role, now), {
        path: '/',
        httpOnly: true,
        sameSite: 'Strict',
        secure: isSecure(c),
        maxAge: SESSION_MS / 1_000,
      })
      return c.redirect(safePlace(to), 303)
    })

    addPage(app, options, { method: 'post', path: '/logout', role: 'read' }, ({ c }) => {
      deleteCookie(c, SESSION_COOKIE, { path: '/' })
      return c.redirect('/login?out=1', 303)
    })
  }
}

function tooMany(
  c: HttpContext,
  options: LoginOptions,
  { to, waitMs }: Pick<Login, 'to'> & { readonly waitMs: number },
) {
  const { words, duration } = languageOf(c)
  c.header('Retry-After', String(Math.ceil(waitMs / 1_000)))
  return loginPage(c, options, { to, message: words.tooManyLogins(duration(waitMs)), status: 429 })
}

interface Login {
  /** Where the visitor was going, and still is after a wrong token. */
  readonly to: string | undefined
  readonly message?: string
  readonly status?: 200 | 403 | 429
}

function loginPage(c: HttpContext, { version }: LoginOptions, login: Login) {
  const { message, status = 200 } = login
  const to = safePlace(login.to)
  const language: Language = languageOf(c)
  const { words } = language
  const body = html`<section class="login">
    <h1>${words.logIn}</h1>
    ${message ? notice(message, status === 200 ? 'good' : 'bad') : ''}
    <form method="post" action="/login">
      <input type="hidden" name="to" value="${to}" />
      <label for="token">${words.token}</label>
      <input
        id="token"
        name="token"
        type="password"
        autocomplete="current-password"
        required
        autofocus
        aria-describedby="token-hint"
      />
      <p id="token-hint" class="hint">${words.tokenHint}</p>
      <button class="main">${words.logIn}</button>
    </form>
  </section>`
  const page = layout({
    title: words.logIn,
    body,
    language,
    session: undefined,
    version,
    path: `/login?to=${encodeURIComponent(to)}`,
    hasCollect: false,
    hasPlots: false,
    isLive: false,
  })
  return pageResponse(c, page, status)
}

function roleOf(scopes: ReadonlySet<string>): Role | undefined {
  if (scopes.has('admin')) return 'admin'
  return scopes.has('read') ? 'read' : undefined
}

/** A place here: never another host, however it is written. */
function safePlace(to: string | undefined): string {
  return to !== undefined && /^\/(?![/\\])[\w./:%?=&~-]*$/.test(to) ? to : '/'
}
