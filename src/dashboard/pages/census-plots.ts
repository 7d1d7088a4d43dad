import type { UtcDay } from '../../core/utc-day.ts'
import type { CandidateStatus } from '../../stores/candidate-store.ts'
import type { Census } from '../../stores/census-store.ts'
import type { Plot, Series } from '../figure.ts'
import type { Language } from '../language.ts'

export interface Counted {
  /** Oldest first; the last of them is today. */
  readonly days: readonly UtcDay[]
  /** Of earlier days, and perhaps of an earlier hour of today. */
  readonly taken: readonly Census[]
  /** As they are now: what today shows. */
  readonly counts: Readonly<Record<CandidateStatus, number>>
}

/** Candidates by state over days. In two plots: all that was ever collected would flatten what waits to a line at zero. */
export function censusPlots(counted: Counted, { words }: Pick<Language, 'words'>): readonly Plot[] {
  const plot = (title: string, states: readonly CandidateStatus[]): Plot => ({
    title,
    kind: 'levels',
    series: states.map((state) => seriesOf(state, words.candidateState[state], counted)),
    nothing: words.noneCounted,
  })
  return [
    plot(words.candidatesWaiting, ['pending', 'processing']),
    plot(words.candidatesDone, ['collected', 'failed']),
  ]
}

/** Whether there is no day yet to compare today with. */
export function beginsToday({ days, taken }: Pick<Counted, 'days' | 'taken'>): boolean {
  return taken.every(({ day }) => day === days.at(-1))
}

function seriesOf(state: CandidateStatus, name: string, { days, taken, counts }: Counted): Series {
  const known = new Map(taken.map((census) => [census.day, census[state]]))
  const today = days.at(-1)
  return { name, values: days.map((day) => (day === today ? counts[state] : known.get(day))) }
}
