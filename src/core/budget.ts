import type { Clock } from './clock.ts'

/** What one invocation may use up. A part that is absent is not limited. */
export interface BudgetLimits {
  readonly timeMs?: number
  /** Requests to the outside: Workers count them per invocation. */
  readonly subrequests?: number
  /** URLs handled: a measure of CPU where CPU time cannot be read. */
  readonly urls?: number
}

export type BudgetPart = keyof BudgetLimits

export interface Budget {
  /** Takes `count` of `part`; false, with nothing taken, when that is more than is left. */
  take(part: Exclude<BudgetPart, 'timeMs'>, count?: number): boolean
  left(part: BudgetPart): number
  /** A part that has run out, if any: then it is time to stop and save. */
  exhausted(): BudgetPart | undefined
  /** For the run's record and the metrics. */
  used(): Required<BudgetLimits>
}

export function openBudget(limits: BudgetLimits, clock: Clock): Budget {
  const startedAt = clock.now()
  const taken = { subrequests: 0, urls: 0 }
  const used = () => ({ timeMs: clock.now() - startedAt, ...taken })
  const left = (part: BudgetPart) =>
    Math.max(0, (limits[part] ?? Number.POSITIVE_INFINITY) - used()[part])
  return {
    take(part, count = 1) {
      if (count > left(part)) return false
      taken[part] += count
      return true
    },
    left,
    exhausted: () => (['timeMs', 'subrequests', 'urls'] as const).find((part) => left(part) === 0),
    used,
  }
}
