import { html, raw } from 'hono/html'
import type { Language } from './language.ts'
import type { Session } from './session.ts'

export type Html = ReturnType<typeof html>

export interface Layout {
  readonly title: string
  readonly body: Html
  readonly language: Language
  /** Absent before the login. */
  readonly session: Session | undefined
  readonly version: string
  readonly path: string
  readonly hasCollect: boolean
  readonly hasPlots: boolean
  readonly isLive: boolean
}

/** Without a script; with one, a page follows what goes on as it happens. */
const ASK_AGAIN_SECONDS = 5

/** What stands around every page. */
export function layout(page: Layout): Html {
  const { title, body, language, session, version, path, hasCollect, hasPlots, isLive } = page
  const { words, tag } = language
  const asset = (name: string) => `/assets/${name}?v=${version}`
  return html`${raw('<!doctype html>')}
    <html lang="${tag}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <meta name="referrer" content="same-origin" />
        ${
          isLive
            ? html`<noscript
                ><meta http-equiv="refresh" content="${ASK_AGAIN_SECONDS}"
              /></noscript>`
            : ''
        }
        <title>${title === 'Sluice' ? title : `${title} · Sluice`}</title>
        <link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml" />
        ${hasPlots ? html`<link rel="stylesheet" href="${asset('uplot.css')}" />` : ''}
        <link rel="stylesheet" href="${asset('sluice.css')}" />
        ${hasPlots ? html`<script src="${asset('uplot.js')}" defer></script>` : ''}
        <script src="${asset('sluice.js')}" defer></script>
      </head>
      <body>
        <a class="skip" href="#content">${words.skip}</a>
        <header class="top">
          <a class="brand" href="/">${gate()}<span>Sluice</span></a>
          ${session ? navigation({ path, hasCollect }, language) : ''}
          <div class="end">
            ${session?.role === 'read' ? html`<span class="pill">${words.readOnly}</span>` : ''}
            ${languageSwitch(path, language)} ${session ? logOut(session, language) : ''}
          </div>
        </header>
        <main id="content">${body}</main>
        <footer>${words.version(version)}</footer>
      </body>
    </html>`
}

function navigation(
  { path, hasCollect }: Pick<Layout, 'path' | 'hasCollect'>,
  { words }: Language,
): Html {
  const link = (href: string, text: string, isHere: boolean) =>
    html`<a href="${href}" ${isHere ? raw('aria-current="page"') : ''}>${text}</a>`
  return html`<nav aria-label="Sluice">
    ${link('/', words.sites, path === '/' || path.startsWith('/sites') || path.startsWith('/runs'))}
    ${hasCollect ? link('/collect', words.collect, path.startsWith('/collect')) : ''}
    ${link('/alerts', words.alerts, path === '/alerts')}
    ${link('/docs', words.reference, path === '/docs')}
  </nav>`
}

function languageSwitch(path: string, { name }: Language): Html {
  const to = `${path}${path.includes('?') ? '&' : '?'}lang=`
  return name === 'en'
    ? html`<a class="quiet" href="${to}zh" lang="zh-CN" hreflang="zh-CN">中文</a>`
    : html`<a class="quiet" href="${to}en" lang="en" hreflang="en">English</a>`
}

function logOut({ formToken }: Session, { words }: Language): Html {
  return html`<form method="post" action="/logout">
    <input type="hidden" name="form_token" value="${formToken}" />
    <button class="quiet">${words.logOut}</button>
  </form>`
}

/** A gate that lets water through. */
const gate = () =>
  html`<svg viewBox="0 0 24 24" width="24" height="24" aria-hidden="true">
    <path
      d="M3 3v18M21 3v18M3 6h18M7 6v7M12 6v7M17 6v7"
      fill="none"
      stroke="currentColor"
      stroke-width="2"
    />
    <path d="M3 17q2.25-2 4.5 0t4.5 0 4.5 0 4.5 0" fill="none" class="water" stroke-width="2" />
  </svg>`
