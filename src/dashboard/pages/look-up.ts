import { html } from 'hono/html'
import type { SiteRecord } from '../../stores/site-store.ts'
import { storedHost } from '../../submit/sealed-settings.ts'
import { type UrlHistory, urlHistory } from '../../submit/url-history.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import type { Call } from '../page.ts'
import { engineName, table, time } from '../parts.ts'

/** SPEC R08: what happened to a page. A form that asks this very page again. */
export async function lookUpSection(
  record: SiteRecord,
  { c, language }: Call,
  { stores }: DashboardDeps,
): Promise<Html> {
  const { words } = language
  const url = c.req.query('url')?.trim() ?? ''
  const answer = url === '' ? '' : await answerTo(url, record, { stores, language })
  return html`<section id="look-up">
    <h2>${words.lookUpTitle}</h2>
    <form method="get" action="#look-up" class="row">
      <label for="url" class="visually-hidden">${words.lookUpHint}</label>
      <input
        id="url"
        name="url"
        type="url"
        required
        placeholder="https://${storedHost(record)}/…"
        value="${url}"
      />
      <button>${words.lookUp}</button>
    </form>
    ${answer}
  </section>`
}

async function answerTo(
  url: string,
  record: SiteRecord,
  { stores, language }: Pick<DashboardDeps, 'stores'> & { readonly language: Language },
): Promise<Html> {
  const { words } = language
  const history = await urlHistory(stores.ledger, { id: record.id, host: storedHost(record) }, url)
  if (!history.ok) return html`<p class="notice bad">${words.lookUpForeign}</p>`
  if (history.value.length === 0) return html`<p class="notice">${words.lookUpNothing}</p>`
  return table(
    words.lookUpTitle,
    [
      { name: words.engine },
      { name: words.status },
      { name: words.when },
      { name: words.httpStatus, kind: 'number' },
    ],
    history.value.map((state) => row(state, language)),
  )
}

function row({ engine, status, submittedAt, statusCode }: UrlHistory, language: Language): Html {
  return html`<tr>
    <th scope="row">${engineName(engine)}</th>
    <td>${language.words.stateOf[status]}</td>
    <td>${time(submittedAt === null ? undefined : Date.parse(submittedAt), language)}</td>
    <td class="number">${statusCode ?? ''}</td>
  </tr>`
}
