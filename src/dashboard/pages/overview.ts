import { html } from 'hono/html'
import type { AlertState } from '../../core/alert.ts'
import { days } from '../../core/duration.ts'
import type { HttpApp } from '../../http/http-env.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import {
  daysShown,
  openAlerts,
  overviewNumbers,
  type SiteNumbers,
  totalsOf,
} from '../overview-numbers.ts'
import { addPage, type Call } from '../page.ts'
import { action, doneNotice, empty, said, siteLink, statusPill, time } from '../parts.ts'
import { sparkline } from '../sparkline.ts'

export function overviewPage(app: HttpApp, deps: DashboardDeps): void {
  const cards = async (call: Call) => {
    const { stores, sites } = deps
    const { now } = call
    const options = { stores, defaults: sites.defaults, now, days: daysShown(now) }
    const wanted = Number.parseInt(call.c.req.query('page') ?? '1', 10) || 1
    const [{ numbers, ...place }, firing] = await Promise.all([
      overviewNumbers(options, wanted),
      openAlerts(stores),
    ])
    const nextAt = deps.nextRunAt?.(call.now)
    const body = html`${board(numbers, firing, { call, nextAt })} ${pager(place, call.language)}`
    return { numbers, page: place.page, body }
  }

  addPage(app, deps, { method: 'get', path: '/', role: 'read' }, async (call) => {
    const { words } = call.language
    const { numbers, page, body } = await cards(call)
    const isLive = numbers.some(({ current }) => current)
    return {
      title: words.sites,
      isLive,
      body: html`<div class="head">
          <h1>${words.sites}</h1>
          ${
            call.session.role === 'admin' && numbers.length > 0
              ? html`<a class="button main" href="/sites/new">${words.addSite}</a>`
              : ''
          }
        </div>
        ${doneNotice(call.c.req.query('done'), call.language)}
        <div data-live="${isLive ? `/live/overview?page=${page}` : ''}">${body}</div>`,
    }
  })

  addPage(app, deps, { method: 'get', path: '/live/overview', role: 'read' }, async (call) => {
    const { numbers, body } = await cards(call)
    const isOver = numbers.every(({ current }) => !current)
    return call.c.html(body, 200, { 'Sluice-Live': isOver ? 'over' : 'on' })
  })
}

interface Around {
  readonly call: Call
  readonly nextAt: number | undefined
}

function board(
  numbers: readonly SiteNumbers[],
  firing: readonly AlertState[],
  around: Around,
): Html {
  const { language, session } = around.call
  const { words } = language
  if (numbers.length === 0) {
    const next =
      session.role === 'admin'
        ? html`<a class="button main" href="/sites/new">${words.addSite}</a>`
        : ''
    return empty(words.noSites, words.noSitesHint, next)
  }
  return html`${firing.length > 0 ? alertStrip(firing, language) : ''}
    <ul class="cards">
      ${numbers.map((one) => html`<li>${card(one, around)}</li>`)}
    </ul>`
}

function pager({ page, pages }: { page: number; pages: number }, language: Language): Html {
  const { words, count } = language
  if (pages === 1) return html``
  const link = (to: number, text: string) => html`<a class="button" href="/?page=${to}">${text}</a>`
  return html`<nav class="pager" aria-label="${words.pages}">
    ${page > 1 ? link(page - 1, words.previous) : ''}
    <span class="dim">${words.pageOf(count(page), count(pages))}</span>
    ${page < pages ? link(page + 1, words.next) : ''}
  </nav>`
}

function alertStrip(firing: readonly AlertState[], language: Language): Html {
  const { words } = language
  return html`<section class="strip" aria-label="${words.firing}">
    <ul>
      ${firing.map(
        ({ severity, title }) =>
          html`<li><span class="pill ${severity}">${severity}</span> ${said(title, language)}</li>`,
      )}
    </ul>
    <a href="/alerts">${words.alerts}</a>
  </section>`
}

function card(
  { site, current, last, daily, bingLeft }: SiteNumbers,
  { call, nextAt }: Around,
): Html {
  const { language, session, now } = call
  const { words } = language
  return html`<article class="card">
    <header>
      <h2><a href="${siteLink(site.id)}">${site.name}</a></h2>
      ${standingPill({ site, current, last }, language)}
    </header>
    ${sparkline(daily, words.last30)}
    <dl>
      <div>
        <dt>${words.lastRun}</dt>
        <dd>${lastRun(current ?? last, language)}</dd>
      </div>
      <div>
        <dt>${words.accepted}</dt>
        <dd>${acceptedCell({ site, daily }, language)}</dd>
      </div>
      <div>
        <dt>${words.bingQuota}</dt>
        <dd>${bingCell(bingLeft, language, now)}</dd>
      </div>
      <div>
        <dt>${words.nextRun}</dt>
        <dd>${nextRun(site.enabled ? nextAt : undefined, language)}</dd>
      </div>
    </dl>
    <footer>
      ${
        current
          ? html`<a class="button" href="/runs/${current.id}">${words.progress}</a>`
          : action({ to: `${siteLink(site.id)}/run`, text: words.runNow }, session)
      }
    </footer>
  </article>`
}

export function standingPill(
  { site, current, last }: Pick<SiteNumbers, 'site' | 'current' | 'last'>,
  language: Language,
): Html | '' {
  const state = current ? 'running' : site.enabled ? last?.status : 'paused'
  return state ? statusPill(state, language) : ''
}

/** Submissions, not pages: one counts at every engine, whenever it changes, and when it is gone. */
export function acceptedCell(
  { site, daily }: Pick<SiteNumbers, 'site' | 'daily'>,
  language: Language,
): Html {
  const { words, percent, count } = language
  const { total, successful } = totalsOf(daily)
  if (total === 0) return html`<span class="dim">${words.nothingSent}</span>`
  return html`<strong>${percent(successful / total)}</strong>
    <span class="dim"
      >${words.acceptedOf(count(successful), count(total))}${site.submitDeleted ? words.deletionsIncluded : ''}</span
    >`
}

function lastRun(run: SiteNumbers['last'], language: Language): Html {
  if (!run) return html`<span class="dim">${language.words.never}</span>`
  const { words, count } = language
  return html`<a href="/runs/${run.id}">${time(run.startedAt, language)}</a>
    <span class="dim">
      ${words.acceptedLast(count(run.submitted))}${
        run.failed > 0
          ? html`${words.comma}<span class="bad">${words.failedLast(count(run.failed))}</span>`
          : ''
      }
    </span>`
}

/** A day's quota ends with the UTC day. */
export function bingCell(left: SiteNumbers['bingLeft'], language: Language, now: number): Html {
  const { words } = language
  if (left === 'off') return html`<span class="dim">${words.off}</span>`
  if (left === 'unknown') return html`<span class="dim">${words.unknownYet}</span>`
  const midnight = (Math.floor(now / days(1)) + 1) * days(1)
  return html`<strong>${language.number(left)}</strong>
    <span class="dim">
      ${words.resetsIn}
      <time datetime="${new Date(midnight).toISOString()}" data-countdown>
        ${language.duration(midnight - now)}
      </time>
    </span>`
}

export function nextRun(at: number | undefined, language: Language): Html {
  return at === undefined
    ? html`<span class="dim">${language.words.notScheduled}</span>`
    : time(at, language)
}
