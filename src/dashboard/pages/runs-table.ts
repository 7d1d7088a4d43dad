import { html } from 'hono/html'
import type { Run } from '../../stores/run-store.ts'
import type { Language } from '../language.ts'
import type { Html } from '../layout.ts'
import { statusPill, time } from '../parts.ts'

const SHOWN = 20

export function runsTable(runs: readonly Run[], language: Language): Html {
  const { words, number } = language
  if (runs.length === 0) return html`<p class="dim">${words.noRuns}</p>`
  const head = [words.total, words.new, words.submitted, words.failedCount, words.deleted]
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${words.runs}">
    <table>
      <thead>
        <tr>
          <th scope="col">${words.started}</th>
          <th scope="col">${words.status}</th>
          <th scope="col">${words.trigger}</th>
          ${head.map((name) => html`<th scope="col" class="number">${name}</th>`)}
          <th scope="col" class="number">${words.duration}</th>
        </tr>
      </thead>
      <tbody>
        ${runs.slice(0, SHOWN).map(
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
        )}
      </tbody>
    </table>
  </div>`
}

export function triggerName(trigger: string, { words }: Language): string {
  const names: Readonly<Record<string, string>> = words.triggerOf
  return names[trigger] ?? trigger
}

export function tookOf({ startedAt, finishedAt }: Run, { duration }: Language): string {
  return finishedAt === undefined ? '' : duration(finishedAt - startedAt)
}
