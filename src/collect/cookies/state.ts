import type { CookieRecord, CookieStatus } from '../../stores/cookie-store.ts'
import { COOKIE_LIMITS } from './limits.ts'

/** What happens to a cookie. A probe is its first use after a rest. */
export type CookieEvent =
  | 'worked'
  /** By an error of its own: the platform does not take it. Other errors are no event at all. */
  | 'refused'
  | 'probe-worked'
  | 'probe-refused'
  /** Something went wrong that the cookie is not to blame for: whether it works is still not known. */
  | 'probe-inconclusive'
  | 'disabled'
  | 'reactivated'

export interface Moment {
  readonly now: number
  readonly coolingMs: number
}

type Step = (cookie: CookieRecord, moment: Moment) => CookieRecord

const stay: Step = (cookie) => cookie

const wellAgain: Step = (cookie) => ({ ...cookie, consecutiveErrors: 0 })

const awake: Step = (cookie) => ({
  ...cookie,
  status: 'active',
  consecutiveErrors: 0,
  coolingUntil: undefined,
})

const anew: Step = (cookie, moment) => ({ ...awake(cookie, moment), totalErrors: 0 })

const into =
  (status: CookieStatus): Step =>
  (cookie) => ({ ...cookie, status, coolingUntil: undefined })

const counted: Step = (cookie) => ({
  ...cookie,
  consecutiveErrors: cookie.consecutiveErrors + 1,
  totalErrors: cookie.totalErrors + 1,
})

const countedAndJudged: Step = (cookie, moment) => {
  const after = counted(cookie, moment)
  if (after.totalErrors >= COOKIE_LIMITS.totalErrors) return into('invalid')(after, moment)
  if (after.consecutiveErrors < COOKIE_LIMITS.consecutiveErrors) return after
  return { ...after, status: 'cooling', coolingUntil: moment.now + moment.coolingMs }
}

const banned: Step = (cookie, moment) => into('banned')(counted(cookie, moment), moment)

const probeAgain: Step = (cookie, { now }) => ({ ...cookie, coolingUntil: now })

/** For a cookie that is out of use until a person says otherwise. */
const OUT_OF_USE = {
  worked: stay,
  refused: stay,
  'probe-worked': stay,
  'probe-refused': stay,
  'probe-inconclusive': stay,
  disabled: into('disabled'),
  reactivated: anew,
} as const satisfies Record<CookieEvent, Step>

/**
 * SPEC C10, all of it: what each event makes of a cookie in each state. What was lent before a change of state may
 * come back after it: an error from before a rest must not be taken for one of the probe after it.
 */
const TRANSITIONS = {
  active: {
    worked: wellAgain,
    refused: countedAndJudged,
    // A person reactivated it while it was being probed.
    'probe-worked': wellAgain,
    'probe-refused': countedAndJudged,
    'probe-inconclusive': stay,
    disabled: into('disabled'),
    reactivated: anew,
  },
  cooling: {
    worked: stay,
    refused: counted,
    'probe-worked': awake,
    'probe-refused': banned,
    'probe-inconclusive': probeAgain,
    disabled: into('disabled'),
    reactivated: anew,
  },
  invalid: OUT_OF_USE,
  banned: OUT_OF_USE,
  disabled: OUT_OF_USE,
} as const satisfies Record<CookieStatus, Record<CookieEvent, Step>>

export function nextState(cookie: CookieRecord, event: CookieEvent, moment: Moment): CookieRecord {
  return TRANSITIONS[cookie.status][event](cookie, moment)
}

/** Whether it may be used now, daily limit apart: active, or rested and due for its probe. */
export function isAwake({ status, coolingUntil = 0 }: CookieRecord, now: number): boolean {
  return status === 'active' || (status === 'cooling' && coolingUntil <= now)
}
