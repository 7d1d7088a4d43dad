import { html } from 'hono/html'
import type { AlertState } from '../../core/alert.ts'
import type { AlertMessage, AlertStore } from '../../stores/alert-store.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { said, table, time } from '../parts.ts'

const LOOKED_AT = 500
const SHOWN = 50

/** The newest messages about the alerts that are asked for. */
export async function alertLog(
  alerts: AlertStore,
  isAsked: (alert: AlertState) => boolean,
  language: Language,
): Promise<Html> {
  const { words } = language
  const messages = await alerts.messages(LOOKED_AT)
  const shown = messages.filter(({ alert }) => isAsked(alert)).slice(0, SHOWN)
  return html`<section id="log">
    <h2>${words.alertLog}</h2>
    ${
      shown.length === 0
        ? html`<p class="dim">${words.nothingTold}</p>`
        : table(
            words.alertLog,
            [
              { name: words.when },
              { name: words.status },
              { name: words.severity },
              { name: words.title },
              { name: words.delivered },
            ],
            shown.map((message) => row(message, language)),
          )
    }
  </section>`
}

function row({ at, notice, alert, deliveredAt }: AlertMessage, language: Language): Html {
  const { words } = language
  return html`<tr>
    <th scope="row">${time(at, language)}</th>
    <td>${words.noticeOf[notice]}</td>
    <td><span class="pill ${alert.severity}">${alert.severity}</span></td>
    <td class="address">${said(alert.title, language)}</td>
    <td>${deliveredAt === undefined ? words.notDelivered : time(deliveredAt, language)}</td>
  </tr>`
}
