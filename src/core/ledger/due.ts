import { stateAt, whenAt, type Rows } from './rows.ts'
import {
  ACCEPTED,
  BASELINE,
  CHANGED,
  FAILED,
  PENDING,
  stateOf,
  UNSENT,
  withState,
} from './url-state.ts'

/** Engines as bits: engine 0 is the lowest. The 32nd bit would make the number negative. */
export const MAX_ENGINES = 31

export interface DueRule {
  readonly nowSeconds: number
  /** How long an accepted URL is not sent again (SPEC S10). */
  readonly ttlSeconds: number
  /** The engines that are asked about, as bits. */
  readonly engines: number
}

/** The engines to which the URL in this row is to be sent now, as bits. */
export function dueEngines(rows: Rows, at: number, rule: DueRule): number {
  let due = 0
  for (let engine = 0, left = rule.engines; left !== 0; engine++, left >>>= 1) {
    if ((left & 1) === 1 && isDue(rows, at, engine, rule)) due |= 1 << engine
  }
  return due
}

function isDue(rows: Rows, at: number, engine: number, rule: DueRule): boolean {
  const state = stateOf(stateAt(rows, at, engine))
  if (state === ACCEPTED || state === PENDING) {
    return whenAt(rows, at, engine) + rule.ttlSeconds <= rule.nowSeconds
  }
  return state === UNSENT || state === FAILED || state === CHANGED
}

/** Those of `engines` where the last sending of this URL failed. */
export function failedEngines(rows: Rows, at: number, engines: number): number {
  let failed = 0
  for (let engine = 0, left = engines; left !== 0; engine++, left >>>= 1) {
    if ((left & 1) === 1 && stateOf(stateAt(rows, at, engine)) === FAILED) failed |= 1 << engine
  }
  return failed
}

/**
 * Takes over a newer lastmod: wherever the older one was settled, the URL is now `changed`. It is written down at
 * once, so that a run that dies before sending loses no change. Tells whether any engine has to hear of it.
 */
export function takeNewerLastmod(rows: Rows, at: number, lastmod: number): boolean {
  const before = rows.lastmod[at] as number
  rows.lastmod[at] = lastmod
  let changed = false
  for (let engine = 0; engine < rows.engines; engine++) {
    const place = engine * rows.capacity + at
    const byte = rows.state[place] as number
    // What was sent when no lastmod was known, by a publish hook say, was sent as it was at that time.
    const isNews = before > 0 || lastmod > (rows.when[place] as number)
    if (!isNews || !isSettled(byte)) continue
    rows.state[place] = withState(byte, CHANGED)
    changed = true
  }
  return changed
}

/** Whether nothing is left to be done for this lastmod. */
export function isSettled(byte: number): boolean {
  const state = stateOf(byte)
  return state !== UNSENT && state !== FAILED && state !== CHANGED
}

/** Remembers the URL as if it had been sent to those of `engines` that never got it (SPEC S14). */
export function takeAsBaseline(
  rows: Rows,
  at: number,
  baseline: { engines: number; nowSeconds: number },
) {
  for (let engine = 0; engine < rows.engines; engine++) {
    const place = engine * rows.capacity + at
    if (((baseline.engines >>> engine) & 1) === 0 || rows.state[place] !== UNSENT) continue
    rows.state[place] = BASELINE
    rows.when[place] = baseline.nowSeconds
  }
}
