import { html } from 'hono/html'
import { changeCookie, listCookies, type ShownCookie } from '../../collect/cookies/keeping.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { CookieStatus } from '../../stores/cookie-store.ts'
import type { CollectDeps, DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { addPage, type Call } from '../page.ts'
import { action, doneNotice, empty, pill, type PillKind, table, time } from '../parts.ts'
import { collectTabs } from './collect-tabs.ts'
import { missingPage } from './missing.ts'

const PAGE = '/collect/cookies'

const CHANGES = [
  ['disable', 'disabled'],
  ['reactivate', 'reactivated'],
] as const

/** The cookie board: how each is doing, and never what it is. */
export function cookiePages(app: HttpApp, deps: DashboardDeps, { keeping }: CollectDeps): void {
  addPage(app, deps, { method: 'get', path: PAGE, role: 'read' }, async (call) => {
    const { words } = call.language
    const cookies = await listCookies(keeping)
    return {
      title: words.cookies,
      body: html`<h1>${words.cookies}</h1>
        ${collectTabs(PAGE, call.language)} ${doneNotice(call.c.req.query('done'), call.language)}
        ${cookies.length === 0 ? empty(words.noCookies, words.noCookiesHint) : board(cookies, call)}`,
    }
  })

  for (const [word, event] of CHANGES) {
    const route = { method: 'post', path: `${PAGE}/:name/${word}`, role: 'admin' } as const
    addPage(app, deps, route, async ({ c, language }) => {
      const cookieName = c.req.param('name') ?? ''
      const origin = { requestId: c.get('request').id }
      const changed = await changeCookie(keeping, { cookieName, event }, origin)
      return changed.ok ? c.redirect(`${PAGE}?done=${event}`, 303) : missingPage(language)
    })
  }
}

function board(cookies: readonly ShownCookie[], call: Call): Html {
  const { language, session } = call
  const { words } = language
  const isAdmin = session.role === 'admin'
  return html`${table(
      words.cookies,
      [
        { name: words.name },
        { name: words.platform },
        { name: words.status },
        { name: words.usesToday, kind: 'number' },
        { name: words.errorsInARow, kind: 'number' },
        { name: words.errorsInAll, kind: 'number' },
        { name: words.priority, kind: 'number' },
        ...(isAdmin ? [{ name: words.actions }] : []),
      ],
      cookies.map((cookie) => row(cookie, call)),
    )}
    <p class="hint">${words.cookieBoardHint}</p>`
}

const STATES = {
  active: 'succeeded',
  cooling: 'warning',
  invalid: 'failed',
  banned: 'failed',
  disabled: 'plain',
} as const satisfies Record<CookieStatus, PillKind>

function row(cookie: ShownCookie, call: Call): Html {
  const { language } = call
  const { words, number, count } = language
  const { status, dailyUsed, dailyLimit } = cookie
  return html`<tr>
    <th scope="row">${cookie.cookieName}</th>
    <td>${cookie.platform}</td>
    <td>${pill(STATES[status], words.cookieState[status])} ${rest(cookie, language)}</td>
    <td class="number ${dailyUsed >= dailyLimit ? 'bad' : ''}">
      ${words.ofLimit(count(dailyUsed), count(dailyLimit))}
    </td>
    <td class="number">${number(cookie.consecutiveErrors)}</td>
    <td class="number">${number(cookie.totalErrors)}</td>
    <td class="number">${number(cookie.priority)}</td>
    ${call.session.role === 'admin' ? html`<td>${buttons(cookie, call)}</td>` : ''}
  </tr>`
}

function rest({ coolingUntil }: ShownCookie, language: Language): Html {
  if (coolingUntil === undefined) return html``
  return html`<span class="dim">${language.words.until} ${time(coolingUntil, language)}</span>`
}

function buttons(
  { cookieName, status }: ShownCookie,
  { session, language: { words } }: Call,
): Html {
  const to = (word: string) => `${PAGE}/${encodeURIComponent(cookieName)}/${word}`
  return html`<div class="actions">
    ${
      status === 'active'
        ? ''
        : action(
            { to: to('reactivate'), text: words.reactivate, hint: words.reactivateHint },
            session,
          )
    }
    ${status === 'disabled' ? '' : action({ to: to('disable'), text: words.disable }, session)}
  </div>`
}
