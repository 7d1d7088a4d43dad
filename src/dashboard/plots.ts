import { html } from 'hono/html'
import { type UtcDay, utcDayOf } from '../core/utc-day.ts'
import type { DailyTotals, Run } from '../stores/run-store.ts'
import { figure, type Plot, type Series } from './figure.ts'
import type { Language } from './language.ts'
import type { Html } from './layout.ts'
import { engineName } from './parts.ts'

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
  const none = runs.length > 0 && { nothing: words.noneSoFar }
  const drawn: readonly Plot[] = [
    { title: words.perDay, kind: 'bars', series: acceptedByEngine(grouped), ...none },
    {
      title: words.failedPerDay,
      kind: 'bars',
      series: failedByEngine(grouped),
      ...none,
    },
    {
      title: words.rateLimitedPerDay,
      kind: 'bars',
      series: rateLimitedByEngine(grouped),
      ...none,
    },
    {
      title: words.responseTimes,
      kind: 'lines',
      series: responseTimes(grouped),
      ...none,
    },
  ]
  return html`<div class="plots">${drawn.map((plot) => figure(plot, days, language))}</div>`
}

function acceptedByEngine(grouped: Grouped): readonly Series[] {
  const { days, daily, runs, byDay } = grouped
  const byEngine = enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) =>
      sum(countsOn(day, engine, byDay).map(({ successful }) => successful)),
    ),
  }))
  return [
    ...byEngine,
    ...ofBing(
      grouped,
      daily.map(({ bing }) => bing.successful),
    ),
  ]
}

function failedByEngine(grouped: Grouped): readonly Series[] {
  const { days, runs, byDay } = grouped
  const byEngine = enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) => sum(countsOn(day, engine, byDay).map(({ failed }) => failed))),
  }))
  const atBing = days.map((day) => sum((byDay.get(day) ?? []).map(({ bing }) => bing?.failed ?? 0)))
  return [...byEngine, ...ofBing(grouped, atBing)]
}

/** SPEC S26: each of these made a run wait. */
function rateLimitedByEngine(grouped: Grouped): readonly Series[] {
  const { days, runs, byDay } = grouped
  const byEngine = enginesOf(runs).map((engine) => ({
    name: engineName(engine),
    values: days.map((day) =>
      sum(countsOn(day, engine, byDay).map(({ rateLimited = 0 }) => rateLimited)),
    ),
  }))
  const atBing = days.map((day) =>
    sum((byDay.get(day) ?? []).map(({ bing }) => bing?.rateLimited ?? 0)),
  )
  return [...byEngine, ...ofBing(grouped, atBing)]
}

/** Not where nothing was ever meant for it: a legend would name what is off. */
function ofBing({ daily, runs }: Grouped, values: Series['values']): readonly Series[] {
  const isUsed = daily.some(({ bing }) => bing.total > 0) || runs.some(({ bing }) => bing)
  return isUsed ? [{ name: 'Bing', values }] : []
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

const sum = (numbers: readonly number[]) => numbers.reduce((all, one) => all + one, 0)
