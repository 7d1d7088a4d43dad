import { html } from 'hono/html'
import { printableUrl } from '../../core/redact.ts'
import type { Candidate, CandidateStatus } from '../../stores/candidate-store.ts'
import type { CollectDeps } from '../deps.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import type { Call } from '../page.ts'
import { table, tabs } from '../parts.ts'

const SHOWN = 50
const STATES = ['failed', 'pending', 'processing', 'collected'] as const

/** Some of the candidates in a state; those that were given up unless another is asked for. */
export async function candidatesSection(
  { c, language }: Call,
  { stores }: CollectDeps,
  counts: Readonly<Record<CandidateStatus, number>>,
): Promise<Html> {
  const { words, count } = language
  const state = STATES.find((name) => name === c.req.query('state')) ?? 'failed'
  const listed = await stores.candidates.list(state, SHOWN)
  const places = STATES.map((name) => ({
    to: `/collect?state=${name}#candidates`,
    text: words.candidateState[name],
    isHere: name === state,
  }))
  const rest =
    counts[state] > listed.length
      ? html`<p class="dim">${words.firstOf(count(listed.length), count(counts[state]))}</p>`
      : ''
  return html`<section id="candidates">
    <h2>${words.candidates}</h2>
    ${tabs(words.candidates, places)}
    ${
      listed.length === 0
        ? html`<p class="dim">${words.noneOfState(words.candidateState[state])}</p>`
        : html`${candidatesTable(listed, language)} ${rest}`
    }
  </section>`
}

function candidatesTable(listed: readonly Candidate[], { words, number }: Language): Html {
  return table(
    words.candidates,
    [
      { name: words.platform },
      { name: words.note },
      { name: words.keyword },
      { name: words.attempts, kind: 'number' },
      { name: words.reason },
    ],
    listed.map(
      ({ platform, noteUrl, sourceKeyword, retryCount, lastErrorCode }) =>
        html`<tr>
          <td>${platform}</td>
          <th scope="row" class="address">${printableUrl(noteUrl)}</th>
          <td>${sourceKeyword ?? ''}</td>
          <td class="number">${number(retryCount)}</td>
          <td>${lastErrorCode === undefined ? '' : reason(lastErrorCode, words)}</td>
        </tr>`,
    ),
  )
}

function reason(code: string, { errorCode }: Language['words']): Html {
  const meanings: Readonly<Record<string, string>> = errorCode
  return html`<code>${code}</code> <span class="dim">${meanings[code] ?? ''}</span>`
}
