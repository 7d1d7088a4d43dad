import { html, raw } from 'hono/html'
import { type FailedUrl, listFailedUrls } from '../../submit/failed-urls.ts'
import { failureReason } from '../../submit/failure-reason.ts'
import type { DashboardDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { engineName, pill, table, time } from '../parts.ts'

/** Of one group: enough to see which they are. */
const SHOWN = 20

/** What engines did not take, by engine and reason, each with what to do about it. */
export async function failedUrlsSection(
  siteId: string,
  { stores }: Pick<DashboardDeps, 'stores'>,
  language: Language,
): Promise<Html> {
  const { words, number } = language
  const failed = await listFailedUrls(stores.ledger, siteId)
  if (failed.length === 0) return html``
  const groups = Map.groupBy(failed, (one) => `${one.engine} ${failureReason(one)}`)
  return html`<section id="failed">
    <h2>${words.failedPages} <span class="dim">${number(failed.length)}</span></h2>
    <p class="hint">${words.failedPagesHint}</p>
    ${[...groups.values()].map((group, i) => groupOf(group, i === 0, language))}
  </section>`
}

function groupOf(group: readonly FailedUrl[], isOpen: boolean, language: Language): Html {
  const { words, number, count } = language
  const [newest] = group
  if (!newest) return html``
  const { what, advice } = words.failureReason[failureReason(newest)]
  const shown = group.slice(0, SHOWN)
  return html`<details class="group" ${isOpen ? raw('open') : ''}>
    <summary>
      ${pill('failed', number(group.length))} <strong>${engineName(newest.engine)}</strong> ${what}
    </summary>
    <p class="advice">${words.whatToDo}${advice}</p>
    ${table(
      `${engineName(newest.engine)} ${what}`,
      [
        { name: words.page },
        { name: words.when },
        { name: words.httpStatus, kind: 'number' },
        { name: words.afterwards },
      ],
      shown.map((one) => row(one, language)),
    )}
    ${
      group.length > shown.length
        ? html`<p class="dim">${words.newestOf(count(shown.length), count(group.length))}</p>`
        : ''
    }
  </details>`
}

function row({ url, at, statusCode, state }: FailedUrl, language: Language): Html {
  return html`<tr>
    <th scope="row" class="address">${url}</th>
    <td>${time(at, language)}</td>
    <td class="number">${statusCode || '–'}</td>
    <td>${language.words.stateOf[state]}</td>
  </tr>`
}
