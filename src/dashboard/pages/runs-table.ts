import { html } from 'hono/html'
import type { Run } from '../../stores/run-store.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import type { Call } from '../page.ts'
import { filterForm, statusPill, table, time } from '../parts.ts'

const SHOWN = 20
const STATUSES = ['succeeded', 'partial', 'failed', 'interrupted', 'running'] as const

/** The kept runs, as far as they are asked for: by how they went, by who began them. */
export function runHistory(runs: readonly Run[], { c, language }: Call): Html {
  const { words, count } = language
  if (runs.length === 0) return html`<p class="dim">${words.noRuns}</p>`
  const asked = { status: c.req.query('status') ?? '', trigger: c.req.query('trigger') ?? '' }
  const found = runs.filter(
    ({ status, trigger }) =>
      (asked.status === '' || status === asked.status) &&
      (asked.trigger === '' || trigger === asked.trigger),
  )
  const shown = c.req.query('runs') === 'all' ? found : found.slice(0, SHOWN)
  const rest = `?${new URLSearchParams({ ...asked, runs: 'all' })}#runs`
  const triggers = [...new Set(runs.map(({ trigger }) => trigger))]
  return html`${filterForm(
    '#runs',
    [
      {
        name: 'status',
        label: words.status,
        chosen: asked.status,
        choices: STATUSES.map((status) => [status, words[status]] as const),
      },
      {
        name: 'trigger',
        label: words.trigger,
        chosen: asked.trigger,
        choices: triggers.map((trigger) => [trigger, triggerName(trigger, language)] as const),
      },
    ],
    language,
  )}
  ${found.length === 0 ? html`<p class="dim">${words.noneMatch}</p>` : runsTable(shown, language)}
  ${
    found.length > shown.length
      ? html`<p><a href="${rest}">${words.showAll(count(found.length))}</a></p>`
      : ''
  }`
}

function runsTable(runs: readonly Run[], language: Language): Html {
  const { words, number } = language
  const counts = [words.total, words.new, words.submitted, words.failedCount, words.deleted]
  return table(
    words.runs,
    [
      { name: words.started },
      { name: words.status },
      { name: words.trigger },
      ...[...counts, words.duration].map((name) => ({ name, kind: 'number' }) as const),
    ],
    runs.map(
      (run) =>
        html`<tr>
          <th scope="row"><a href="/runs/${run.id}">${time(run.startedAt, language)}</a></th>
          <td>${statusPill(run.status, language)}</td>
          <td>${triggerName(run.trigger, language)}</td>
          ${[run.total, run.new, run.submitted, run.failed, run.deleted].map(
            (value) => html`<td class="number">${number(value)}</td>`,
          )}
          <td class="number">${tookOf(run, language)}</td>
        </tr>`,
    ),
  )
}

export function triggerName(trigger: string, { words }: Language): string {
  const names: Readonly<Record<string, string>> = words.triggerOf
  return names[trigger] ?? trigger
}

export function tookOf({ startedAt, finishedAt }: Run, { duration }: Language): string {
  return finishedAt === undefined ? '' : duration(finishedAt - startedAt)
}
