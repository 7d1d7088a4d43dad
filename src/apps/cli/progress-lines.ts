import type { ShownRun } from '../../submit/shown-run.ts'
import { inWords } from './words.ts'

export interface ProgressLines {
  /** How far the run is, a line for each engine. */
  of(run: ShownRun, now: number): readonly string[]
}

const BAR = 20

/** Remembers when it first saw each engine, so that it can tell how fast it goes. */
export function openProgressLines(): ProgressLines {
  const begun = new Map<string, { readonly at: number; readonly done: number }>()
  return {
    of({ engines, total }, now) {
      if (engines.length === 0) return [`  Reading the sitemaps: ${inWords.count(total)} URLs`]
      const widest = Math.max(...engines.map(({ engine }) => inWords.engine(engine).length))
      return engines.map((counts) => {
        const done = counts.successful + counts.failed
        const since = begun.get(counts.engine) ?? { at: now, done }
        begun.set(counts.engine, since)
        const perSecond = now > since.at ? ((done - since.done) * 1_000) / (now - since.at) : 0
        return [
          ` ${inWords.engine(counts.engine).padEnd(widest)}`,
          bar(done, counts.total),
          `${inWords.count(done)}/${inWords.count(counts.total)}`,
          ...pace(counts.total - done, perSecond),
          ...(counts.failed > 0 ? [`${inWords.count(counts.failed)} failed`] : []),
        ].join('  ')
      })
    },
  }
}

function bar(done: number, total: number): string {
  const filled = total === 0 ? BAR : Math.floor((done / total) * BAR)
  return `${'━'.repeat(filled)}${'─'.repeat(BAR - filled)}`
}

function pace(left: number, perSecond: number): readonly string[] {
  if (left === 0 || perSecond === 0) return []
  return [
    `${perSecond >= 10 ? Math.round(perSecond) : perSecond.toFixed(1)}/s`,
    `${inWords.duration((left / perSecond) * 1_000)} left`,
  ]
}
