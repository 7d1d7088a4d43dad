import { type Budget, openBudget } from '../../core/budget.ts'
import type { Clock } from '../../core/clock.ts'
import type { Plan } from './plans.ts'

/** The requests of one invocation: every hop of a redirect is one, and so is every retry. */
export interface RequestCount {
  readonly fetch: typeof fetch
  made(): number
}

/** Counts where requests leave, so that none is missed; past the most there may be, none leaves. */
export function countRequests({ mostRequests }: Pick<Plan, 'mostRequests'>): RequestCount {
  let made = 0
  const counted: typeof fetch = (input, init) => {
    if (made >= mostRequests) return Promise.reject(new NoRequestsLeft(mostRequests))
    made++
    return fetch(input, init)
  }
  return { fetch: counted, made: () => made }
}

class NoRequestsLeft extends Error {
  override readonly name = 'NoRequestsLeft'

  constructor(most: number) {
    super(`An invocation makes no more than ${most} requests.`)
  }
}

export interface SliceBudgetOptions {
  readonly plan: Plan
  readonly requests: RequestCount
  readonly clock: Clock
  /** What is left of the run's own time. */
  readonly timeMs: number
}

/** What a slice may use. Its requests are counted by `requests`; whoever takes one only learns whether there are any. */
export function openSliceBudget({ plan, requests, clock, timeMs }: SliceBudgetOptions): Budget {
  const own = openBudget({ timeMs: Math.min(plan.timeMs, timeMs), urls: plan.urls }, clock)
  const requestsLeft = () => Math.max(0, plan.requests - requests.made())
  return {
    take: (part, count = 1) =>
      part === 'subrequests' ? count <= requestsLeft() : own.take(part, count),
    left: (part) => (part === 'subrequests' ? requestsLeft() : own.left(part)),
    exhausted: () => own.exhausted() ?? (requestsLeft() === 0 ? 'subrequests' : undefined),
    used: () => ({ ...own.used(), subrequests: requests.made() }),
  }
}
