import type { Clock } from '../../core/clock.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { describeUnsealFailure } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import { utcDayOf } from '../../core/utc-day.ts'
import type { CookieExists, CookieRecord, CookieStore } from '../../stores/cookie-store.ts'
import type { Origin } from '../../stores/outbox-store.ts'
import type { CookieUnknown } from '../failures.ts'
import type { CookieCipher } from './cipher.ts'
import { USUAL_COOKIE } from './limits.ts'
import { moved, usedOn } from './pool.ts'
import { nextState } from './state.ts'

export interface CookieKeeping {
  readonly cookies: CookieStore
  readonly cipher: CookieCipher
  readonly clock: Clock
  readonly coolingMs: number
}

export interface NewCookie {
  readonly cookieName: string
  readonly platform: string
  readonly cookie: Secret
  readonly priority?: number | undefined
  readonly dailyLimit?: number | undefined
}

/** A cookie as it may be shown: everything but its value. */
export type ShownCookie = Omit<CookieRecord, 'cookieEncrypted' | 'usedDay'>

export async function addCookie(
  { cookies, cipher, clock }: CookieKeeping,
  given: NewCookie,
  origin: Origin,
): Promise<Result<ShownCookie, CookieExists>> {
  const now = clock.now()
  const record: CookieRecord = {
    ...(await cipher.seal(given.cookieName, given.cookie)),
    platform: given.platform,
    status: 'active',
    priority: given.priority ?? USUAL_COOKIE.priority,
    dailyUsed: 0,
    usedDay: utcDayOf(now),
    dailyLimit: given.dailyLimit ?? USUAL_COOKIE.dailyLimit,
    consecutiveErrors: 0,
    totalErrors: 0,
    coolingUntil: undefined,
    createdAt: now,
    updatedAt: now,
  }
  const added = await cookies.add(record, origin)
  return added.ok ? ok(shown(record, now)) : added
}

export async function listCookies({
  cookies,
  clock,
}: CookieKeeping): Promise<readonly ShownCookie[]> {
  const now = clock.now()
  return (await cookies.list()).map((cookie) => shown(cookie, now))
}

/** A person takes a cookie out of use, or back into it. */
export async function changeCookie(
  keeping: CookieKeeping,
  { cookieName, event }: { cookieName: string; event: 'disabled' | 'reactivated' },
  origin: Origin,
): Promise<Result<ShownCookie, CookieUnknown>> {
  const { cookies, clock, coolingMs } = keeping
  const found = await findCookie(cookies, cookieName)
  if (!found.ok) return found
  const moment = { now: clock.now(), coolingMs }
  const change = await cookies.decide(
    found.value.platform,
    (all) => moved(all, cookieName, (cookie) => nextState(cookie, event, moment)),
    origin,
  )
  return change ? ok(shown(change.after, moment.now)) : fail({ kind: 'cookie-unknown', cookieName })
}

/** Whether a cookie opens with the keys of this server; the platform is not asked. */
export async function validateCookie(
  { cookies, cipher }: CookieKeeping,
  cookieName: string,
): Promise<Result<{ readonly valid: boolean; readonly reason?: string }, CookieUnknown>> {
  const found = await findCookie(cookies, cookieName)
  if (!found.ok) return found
  const opened = await cipher.open(found.value)
  if (!opened.ok) return ok({ valid: false, reason: describeUnsealFailure(opened.failure) })
  const { status } = found.value
  if (status === 'active' || status === 'cooling') return ok({ valid: true })
  return ok({ valid: false, reason: `It is ${status}: reactivate it once it is good again.` })
}

export interface Resealed {
  readonly resealed: number
  /** Did not open: their keys are not configured, or they were changed. */
  readonly stuck: readonly { readonly name: string; readonly reason: string }[]
}

/** Seals every cookie anew that was not sealed with the current key and cipher, while they are in use (SPEC C07). */
export async function resealCookies({ cookies, cipher }: CookieKeeping): Promise<Resealed> {
  const stuck: Resealed['stuck'][number][] = []
  let resealed = 0
  for (const cookie of (await cookies.list()).filter((each) => cipher.isOld(each))) {
    const { cookieName, cookieEncrypted: from } = cookie
    const opened = await cipher.open(cookie)
    if (!opened.ok) {
      stuck.push({ name: cookieName, reason: describeUnsealFailure(opened.failure) })
      continue
    }
    const sealed = await cipher.seal(cookieName, opened.value)
    const { cookieEncrypted: to, encryptionKeyId } = sealed
    // False: somebody else has just sealed it anew, with the same key as we would.
    if (await cookies.reseal(cookieName, { from, to, encryptionKeyId })) resealed++
  }
  return { resealed, stuck }
}

/** Keys that cookies in use were sealed with, and that nobody gave us. */
export async function missingKeys(
  cookies: CookieStore,
  known: ReadonlySet<string>,
): Promise<readonly { readonly keyId: string; readonly cookieNames: readonly string[] }[]> {
  const needed = (await cookies.list()).filter(
    ({ status, encryptionKeyId }) => status !== 'disabled' && !known.has(encryptionKeyId),
  )
  const byKey = Object.groupBy(needed, ({ encryptionKeyId }) => encryptionKeyId)
  return Object.entries(byKey).map(([keyId, those = []]) => ({
    keyId,
    cookieNames: those.map(({ cookieName }) => cookieName),
  }))
}

async function findCookie(
  cookies: CookieStore,
  cookieName: string,
): Promise<Result<CookieRecord, CookieUnknown>> {
  const found = (await cookies.list()).find((cookie) => cookie.cookieName === cookieName)
  return found ? ok(found) : fail({ kind: 'cookie-unknown', cookieName })
}

function shown(cookie: CookieRecord, now: number): ShownCookie {
  const { cookieEncrypted: _sealed, usedDay: _day, ...rest } = cookie
  return { ...rest, dailyUsed: usedOn(utcDayOf(now), cookie) }
}
