import type { Clock } from '../../../../src/core/clock.ts'
import { seconds } from '../../../../src/core/duration.ts'
import type { Step } from '../stand-in.ts'
import type { Call, CallName } from './calls.ts'

/** Whether one more call of its kind fits into the second before it; one that does not fit still counts. */
export function openBudget(clock: Clock, perSecond: number | undefined) {
  const calls = new Map<CallName, number[]>()
  return ({ name, perSecond: usual }: Call): boolean => {
    const now = clock.now()
    const recent = (calls.get(name) ?? []).filter((at) => now - at < seconds(1))
    calls.set(name, [...recent, now])
    return recent.length < (perSecond ?? usual)
  }
}

export interface Faults {
  /** The next of these calls meet these steps, in order; other calls do not use them up. */
  meet(calls: readonly CallName[], ...steps: readonly Step[]): void
  /** Each of these calls that no step is left for meets this one; without one, the rules again. */
  keepMeeting(calls: readonly CallName[], step?: Step): void
}

export function openFaults(): Faults & { next(name: CallName): Step | undefined } {
  const scripts: { calls: readonly CallName[]; steps: Step[] }[] = []
  const constants = new Map<CallName, Step>()
  return {
    meet: (calls, ...steps) => void scripts.push({ calls, steps: [...steps] }),
    keepMeeting(calls, step) {
      for (const name of calls) {
        if (step) constants.set(name, step)
        else constants.delete(name)
      }
    },
    next(name) {
      const script = scripts.find(({ calls, steps }) => calls.includes(name) && steps.length > 0)
      return script?.steps.shift() ?? constants.get(name)
    },
  }
}
