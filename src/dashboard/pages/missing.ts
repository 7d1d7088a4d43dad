import { html } from 'hono/html'
import { getCookie } from 'hono/cookie'
import type { HttpApp } from '../../http/http-env.ts'
import { refuseUnknownPath } from '../../http/unknown-path.ts'
import { type Language, languageOf } from '../language.ts'
import { layout } from '../layout.ts'
import { isBrowser, type PageDeps, pageResponse, SESSION_COOKIE, type Shown } from '../page.ts'
import { empty } from '../parts.ts'

/** What no route matches: a page for people, whether they are logged in or not, and the usual answer for programs. */
export function unknownPages(app: HttpApp, deps: PageDeps): void {
  const { clock, version, sessions, hasCollect } = deps
  app.notFound(async (c) => {
    if (!isBrowser(c)) return refuseUnknownPath(c)
    const language = languageOf(c)
    const { title, body } = missingPage(language)
    const session = await sessions.read(getCookie(c, SESSION_COOKIE), clock.now())
    const around = { language, session, version, path: '/', hasCollect }
    const page = layout({ ...around, title, body, hasPlots: false, isLive: false })
    return pageResponse(c, page, 404)
  })
}

export function missingPage({ words }: Language): Shown {
  const next = html`<a class="button" href="/">${words.toOverview}</a>`
  return {
    title: words.notFound,
    status: 404,
    body: html`<h1 class="visually-hidden">${words.notFound}</h1>
      ${empty(words.notFound, words.notFoundHint, next)}`,
  }
}
