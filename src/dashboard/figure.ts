import { html } from 'hono/html'
import { type UtcDay, startOfUtcDay } from '../core/utc-day.ts'
import type { Language } from './language.ts'
import type { Html } from './layout.ts'

/** One value a day under each name; undefined where there is nothing to tell. */
export interface Series {
  readonly name: string
  readonly values: readonly (number | undefined)[]
}

export interface Plot {
  readonly title: string
  /** `levels`: lines that break off where a day has no value, since nobody knows how it stood then. */
  readonly kind: 'bars' | 'lines' | 'levels'
  readonly series: readonly Series[]
  /** Where nothing is good news, or has another reason than that nothing ran. */
  readonly nothing?: string
}

/** A table of days; the page's script draws it above, and without a script it is simply read. */
export function figure(
  { title, kind, series, nothing }: Plot,
  days: readonly UtcDay[],
  language: Language,
): Html {
  const { words, number } = language
  const hasNothing = series.every(({ values }) => values.every((value) => !value))
  return html`<figure class="plot" data-plot="${kind}">
    <figcaption>${title}</figcaption>
    ${hasNothing ? html`<p class="dim">${nothing ?? words.nothingYet}</p>` : ''}
    <div class="canvas" aria-hidden="true"></div>
    <details>
      <summary>${words.showTable}</summary>
      <div class="scroll" tabindex="0" role="region" aria-label="${title}">
        <table>
          <thead>
            <tr>
              <th scope="col">${words.day}</th>
              ${series.map(({ name }) => html`<th scope="col" class="number">${name}</th>`)}
            </tr>
          </thead>
          <tbody>
            ${days.map(
              (day, i) =>
                html`<tr>
                  <th scope="row" data-value="${startOfUtcDay(day) / 1_000}">${day}</th>
                  ${series.map(({ values }) => cell(values[i], number))}
                </tr>`,
            )}
          </tbody>
        </table>
      </div>
    </details>
  </figure>`
}

function cell(value: number | undefined, number: Language['number']): Html {
  return html`<td class="number" data-value="${value ?? ''}">
    ${value === undefined ? '–' : number(value)}
  </td>`
}
