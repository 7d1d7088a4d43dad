import { html } from 'hono/html'
import type { AlertState } from '../../core/alert.ts'
import type { HttpApp } from '../../http/http-env.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import type { ToldReceiver } from '../../alerts/test-alert.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { firingAlerts } from '../overview-numbers.ts'
import { addPage, type Call, type Shown } from '../page.ts'
import { action, empty, notice, siteLink, time } from '../parts.ts'

export function alertsPages(app: HttpApp, deps: DashboardDeps): void {
  const page = async (call: Call, told?: readonly ToldReceiver[]): Promise<Shown> => {
    const { language, session } = call
    const { words } = language
    const all = await deps.stores.alerts.list()
    const firing = await firingAlerts(deps.stores)
    const resolved = all
      .filter(({ status }) => status === 'resolved')
      .toSorted((a, b) => b.since - a.since)
    return {
      title: words.alerts,
      body: html`<div class="head">
          <h1>${words.alerts}</h1>
          ${deps.testAlert ? action({ to: '/alerts/test', text: words.testAlert }, session) : ''}
        </div>
        ${told ? toldNotices(told, language) : ''}
        <section>
          <h2>${words.firing}</h2>
          ${
            firing.length === 0
              ? empty(words.noAlerts, words.noAlertsHint)
              : firing.map((alert) => card(alert, language))
          }
        </section>
        <section>
          <h2>${words.resolved}</h2>
          ${
            resolved.length === 0
              ? html`<p class="dim">${words.noResolved}</p>`
              : resolved.map((alert) => card(alert, language))
          }
        </section>`,
    }
  }

  addPage(app, deps, { method: 'get', path: '/alerts', role: 'read' }, (call) => page(call))

  const { testAlert } = deps
  if (!testAlert) return
  addPage(app, deps, { method: 'post', path: '/alerts/test', role: 'admin' }, async (call) =>
    page(call, await testAlert()),
  )
}

function card(alert: AlertState, language: Language): Html {
  const siteId = siteOfAlert(alert.key)
  return html`<article class="alert ${alert.status}">
    <h3>
      <span class="pill ${alert.severity}">${alert.severity}</span>
      <span lang="en">${alert.title}</span>
    </h3>
    <p lang="en">${alert.cause}</p>
    <p lang="en" class="advice">${alert.advice}</p>
    <p class="dim">
      ${language.words.since} ${time(alert.since, language)}
      ${siteId === undefined ? '' : html`· <a href="${siteLink(siteId)}">${siteId}</a>`}
    </p>
  </article>`
}

function toldNotices(told: readonly ToldReceiver[], { words }: Language): Html {
  if (told.length === 0) return notice(words.testNobody, 'bad')
  return html`${told.map(({ host, failure }) =>
    failure === undefined ? notice(words.testTaken(host)) : notice(failure, 'bad'),
  )}`
}
