import type { Clock } from '../../core/clock.ts'
import type { Secret } from '../../core/secret.ts'
import { describeUnsealFailure } from '../../core/seal.ts'
import { type UtcDay, utcDayOf } from '../../core/utc-day.ts'
import type { CookieDecision, CookieRecord, CookieStore } from '../../stores/cookie-store.ts'
import type { Caller } from '../caller.ts'
import type { CookieCipher } from './cipher.ts'
import { PROBE_MS } from './limits.ts'
import { type CookieEvent, isAwake, nextState } from './state.ts'

/** A cookie that somebody uses now. It is given back with what came of it. */
export interface LentCookie {
  readonly cookieName: string
  readonly platform: string
  readonly cookie: Secret
  /** Its first use after a rest: an error of its own now is its end. */
  readonly isProbe: boolean
}

/** What a use says of the cookie. `inconclusive`: whatever went wrong, it is not to blame. */
export type Use = 'worked' | 'refused' | 'inconclusive'

export interface CookiePool {
  /** The best cookie that may be used now, with one use of today spent; undefined when there is none. */
  lend(
    platform: string,
    except: ReadonlySet<string>,
    caller: Caller,
  ): Promise<LentCookie | undefined>
  giveBack(lent: LentCookie, use: Use, caller: Caller): Promise<void>
}

export interface CookiePoolOptions {
  readonly cookies: CookieStore
  readonly cipher: CookieCipher
  readonly clock: Clock
  readonly coolingMs: number
}

export function openCookiePool({
  cookies,
  cipher,
  clock,
  coolingMs,
}: CookiePoolOptions): CookiePool {
  return {
    async lend(platform, except, caller) {
      const tried = new Set(except)
      for (;;) {
        const now = clock.now()
        const picked = await cookies.decide(platform, (all) => pick(all, tried, now), caller)
        if (!picked) return undefined
        const { cookieName, status } = picked
        const opened = await cipher.open(picked)
        if (opened.ok) {
          return { cookieName, platform, cookie: opened.value, isProbe: status === 'cooling' }
        }
        const why = describeUnsealFailure(opened.failure)
        caller.log.error('cookie.does_not_open', `The cookie ${cookieName} is left out. ${why}`, {
          cookieName,
        })
        tried.add(cookieName)
      }
    },
    async giveBack({ platform, cookieName, isProbe }, use, caller) {
      const event = eventOf(use, isProbe)
      if (!event) return
      const moment = { now: clock.now(), coolingMs }
      const change = await cookies.decide(
        platform,
        (all) => moved(all, cookieName, (cookie) => nextState(cookie, event, moment)),
        caller,
      )
      if (!change || change.before.status === change.after.status) return
      const { status } = change.after
      caller.log.warn(`cookie.${status}`, `The cookie ${cookieName} is ${status} now.`, {
        cookieName,
        platform,
        was: change.before.status,
        totalErrors: change.after.totalErrors,
      })
    },
  }
}

/** SPEC C10: by priority, then the least used today. A name decides what is still equal, so that it is never chance. */
function pick(
  all: readonly CookieRecord[],
  except: ReadonlySet<string>,
  now: number,
): CookieDecision<CookieRecord | undefined> {
  const today = utcDayOf(now)
  const [best] = all
    .filter((cookie) => !except.has(cookie.cookieName) && isUsable(cookie, now))
    .toSorted(
      (a, b) =>
        b.priority - a.priority ||
        usedOn(today, a) - usedOn(today, b) ||
        (a.cookieName < b.cookieName ? -1 : 1),
    )
  if (!best) return { changed: [], answer: undefined }
  const used = {
    ...best,
    usedDay: today,
    dailyUsed: usedOn(today, best) + 1,
    // One probe at a time: for the others it rests on until this one is heard of.
    ...(best.status === 'cooling' && { coolingUntil: now + PROBE_MS }),
  }
  return { changed: [used], answer: used }
}

/** Awake, and not at its limit of today. */
export function isUsable(cookie: CookieRecord, now: number): boolean {
  return isAwake(cookie, now) && usedOn(utcDayOf(now), cookie) < cookie.dailyLimit
}

/** A new day needs no reset: what was used on another day is nothing today. */
export function usedOn(day: UtcDay, { usedDay, dailyUsed }: CookieRecord): number {
  return usedDay === day ? dailyUsed : 0
}

function eventOf(use: Use, isProbe: boolean): CookieEvent | undefined {
  if (isProbe) return `probe-${use}`
  return use === 'inconclusive' ? undefined : use
}

export interface CookieMoved {
  readonly before: CookieRecord
  readonly after: CookieRecord
}

/** A decision that moves one cookie on; undefined when there is none of that name. */
export function moved(
  all: readonly CookieRecord[],
  cookieName: string,
  step: (cookie: CookieRecord) => CookieRecord,
): CookieDecision<CookieMoved | undefined> {
  const before = all.find((cookie) => cookie.cookieName === cookieName)
  if (!before) return { changed: [], answer: undefined }
  const after = step(before)
  return { changed: after === before ? [] : [after], answer: { before, after } }
}
