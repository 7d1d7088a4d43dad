import { html } from 'hono/html'
import { type UtcDay, startOfUtcDay, utcDayOf } from '../core/utc-day.ts'
import type { DailyTotals, Run } from '../stores/run-store.ts'
import type { Language } from './language.ts'
import type { Html } from './layout.ts'
import { engineName } from './parts.ts'

/** One value a day under each name; undefined where there is nothing to tell. */
interface Series {
  readonly name: string
  readonly values: readonly (number | undefined)[]
}

interface Plot {
  readonly title: string
  readonly kind: 'bars' | 'lines'
  readonly series: readonly Series[]
}

export interface PlotsOptions {
  readonly days: readonly UtcDay[]
  readonly daily: readonly DailyTotals[]
  readonly runs: readonly Run[]
}

type RunsByDay = ReadonlyMap<UtcDay, readonly Run[]>

interface Grouped extends PlotsOptions {
  readonly byDay: RunsByDay
}

/** The plots of a site. Each is a table; the page's script draws it above, and without a script it is simply read. */
export function plots(options: PlotsOptions, language: Language): Html {
  const { words } = language
  const { days, runs } = options
  const grouped = { ...options, byDay: Map.groupBy(runs, ({ startedAt }) => utcDayOf(startedAt)) }
  const drawn: readonly Plot[] = [
    { title: words.perDay, kind: 'bars', series: acceptedByEngine(grouped) },
    {
      title: words.failedPerDay,
      kind: 'bars',
      series: failedByEngine(grouped),
    },
    {
      title: `${words.responseTimes} (${words.milliseconds})`,
      kind: 'lines',
      series: responseTimes(grouped),
    },
  ]
  return html`<div class="plots">${drawn.map((plot) => figure(plot, days, language))}</div>`
}

function acceptedByEngine({ days, daily, runs, byDay }: Grouped): readonly Series[] {
  const byEngine = enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) =>
      sum(countsOn(day, engine, byDay).map(({ successful }) => successful)),
    ),
  }))
  return [...byEngine, { name: 'Bing', values: daily.map(({ bing }) => bing.successful) }]
}

function failedByEngine({ days, runs, byDay }: Grouped): readonly Series[] {
  const byEngine = enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) => sum(countsOn(day, engine, byDay).map(({ failed }) => failed))),
  }))
  const atBing = days.map((day) => sum((byDay.get(day) ?? []).map(({ bing }) => bing?.failed ?? 0)))
  return [...byEngine, { name: 'Bing', values: atBing }]
}

function responseTimes({ days, runs, byDay }: Grouped): readonly Series[] {
  return enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) => {
      const times = countsOn(day, engine, byDay).filter(({ averageMs }) => averageMs > 0)
      if (times.length === 0) return undefined
      return Math.round(sum(times.map(({ averageMs }) => averageMs)) / times.length)
    }),
  }))
}

function enginesOf(runs: readonly Run[]): readonly string[] {
  return [...new Set(runs.flatMap(({ engines }) => engines.map(({ engine }) => engine)))].toSorted(
    (a, b) => a.localeCompare(b),
  )
}

function countsOn(day: UtcDay, engine: string, byDay: RunsByDay) {
  return (byDay.get(day) ?? []).flatMap(({ engines }) =>
    engines.filter((counts) => counts.engine === engine),
  )
}

function figure({ title, kind, series }: Plot, days: readonly UtcDay[], language: Language): Html {
  const { words, number } = language
  const hasNothing = series.every(({ values }) => values.every((value) => !value))
  return html`<figure class="plot" data-plot="${kind}">
    <figcaption>${title}</figcaption>
    ${hasNothing ? html`<p class="dim">${words.nothingYet}</p>` : ''}
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

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
