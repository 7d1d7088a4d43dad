import { html } from 'hono/html'
import { acknowledgeAlert, type AlertState } from '../../core/alert.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import type { ToldReceiver } from '../../alerts/test-alert.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { linked } from '../linked.ts'
import { addPage, type Call, type Shown } from '../page.ts'
import { action, doneNotice, empty, filterForm, notice, said, siteLink, time } from '../parts.ts'
import { siteNames } from '../site-name.ts'
import { alertLog } from './alert-log.ts'

const SEVERITIES = ['P0', 'P1', 'P2'] as const

/** What is wrong, what was, and what people were told of it. */
export function alertsPages(app: HttpApp, deps: DashboardDeps): void {
  const { stores, testAlert } = deps

  const page = async (call: Call, told?: readonly ToldReceiver[]): Promise<Shown> => {
    const { language, session, c } = call
    const { words } = language
    const names = await siteNames(deps)
    const all = (await stores.alerts.list()).filter(({ status }) => status !== 'watching')
    const isAsked = askOf(call)
    const asked = all.filter(isAsked)
    const of = (status: AlertState['status']) => asked.filter((alert) => alert.status === status)
    const firing = of('firing').toSorted(bySeverity)
    const resolved = of('resolved').toSorted((a, b) => b.since - a.since)
    return {
      title: words.alerts,
      body: html`<div class="head">
          <h1>${words.alerts}</h1>
          ${testAlert ? action({ to: '/alerts/test', text: words.testAlert }, session) : ''}
        </div>
        ${told ? toldNotices(told, language) : ''} ${doneNotice(c.req.query('done'), language)}
        ${all.length === 0 ? '' : alertFilter(all, names, call)}
        <section>
          <h2>${words.firing}</h2>
          ${
            firing.length === 0
              ? empty(words.noAlerts, words.noAlertsHint)
              : firing.map((alert) => card(alert, names, call))
          }
        </section>
        <section>
          <h2>${words.resolved}</h2>
          ${
            resolved.length === 0
              ? html`<p class="dim">${words.noResolved}</p>`
              : resolved.map((alert) => card(alert, names, call))
          }
        </section>
        ${await alertLog(stores.alerts, isAsked, language)}`,
    }
  }

  addPage(app, deps, { method: 'get', path: '/alerts', role: 'read' }, (call) => page(call))

  const acknowledge = { method: 'post', path: '/alerts/acknowledge', role: 'admin' } as const
  addPage(app, deps, acknowledge, async ({ c, fields, now, session }) => {
    const by = session.role
    await stores.alerts.move(
      fields.get('key') ?? '',
      (before) => acknowledgeAlert(before, { at: now, by }),
      now,
    )
    return c.redirect('/alerts?done=acknowledged', 303)
  })

  if (!testAlert) return
  addPage(app, deps, { method: 'post', path: '/alerts/test', role: 'admin' }, async (call) =>
    page(call, await testAlert()),
  )
}

/** What nobody has acknowledged first, then the most severe. */
function bySeverity(a: AlertState, b: AlertState): number {
  const isKnown = ({ acknowledged }: AlertState) => (acknowledged ? 1 : 0)
  return isKnown(a) - isKnown(b) || a.severity.localeCompare(b.severity) || b.since - a.since
}

function askOf({ c }: Call): (alert: AlertState) => boolean {
  const severity = c.req.query('severity') ?? ''
  const site = c.req.query('site') ?? ''
  return (alert) =>
    (severity === '' || alert.severity === severity) &&
    (site === '' || siteOfAlert(alert.key) === site)
}

type Names = ReadonlyMap<string, string>

function alertFilter(all: readonly AlertState[], names: Names, { c, language }: Call): Html {
  const { words } = language
  const sites = [...new Set(all.flatMap(({ key }) => siteOfAlert(key) ?? []))].toSorted((a, b) =>
    a.localeCompare(b),
  )
  return filterForm(
    '/alerts',
    [
      {
        name: 'severity',
        label: words.severity,
        chosen: c.req.query('severity') ?? '',
        choices: SEVERITIES.map((severity) => [severity, severity] as const),
      },
      {
        name: 'site',
        label: words.site,
        chosen: c.req.query('site') ?? '',
        choices: sites.map((site) => [site, names.get(site) ?? site] as const),
      },
    ],
    language,
  )
}

function card(alert: AlertState, names: Names, { language, session }: Call): Html {
  const { words } = language
  const { key, status, severity, acknowledged } = alert
  const siteId = siteOfAlert(key)
  const isOpen = status === 'firing' && !acknowledged
  const { acknowledge: text, acknowledgeHint: hint } = words
  return html`<article class="alert ${status}">
    <div class="head">
      <h3>
        <span class="pill ${severity}">${severity}</span>
        ${said(alert.title, language)}
      </h3>
      ${isOpen ? action({ to: '/alerts/acknowledge', text, hint, fields: { key } }, session) : ''}
    </div>
    <p>${said(alert.cause, language)}</p>
    <p class="advice">${said(alert.advice, language, linked)}</p>
    <p class="dim">
      ${words.since} ${time(alert.since, language)}
      ${siteId === undefined ? '' : html`· <a href="${siteLink(siteId)}">${names.get(siteId) ?? siteId}</a>`}
      ${
        acknowledged
          ? html`·
            ${words.acknowledgedBy(acknowledged.by)}${words.comma}${time(acknowledged.at, language)}`
          : ''
      }
    </p>
  </article>`
}

function toldNotices(told: readonly ToldReceiver[], language: Language): Html {
  const { words } = language
  if (told.length === 0) return notice(words.testNobody, 'bad')
  return html`${told.map(({ host, failure }) =>
    failure === undefined ? notice(words.testTaken(host)) : notice(said(failure, language), 'bad'),
  )}`
}
