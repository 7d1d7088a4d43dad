import type { Result } from '../core/result.ts'
import type { UtcDay } from '../core/utc-day.ts'
import type { Origin } from './outbox-store.ts'

export type CookieStatus = 'active' | 'cooling' | 'invalid' | 'banned' | 'disabled'

/** A cookie as it is kept. The store never sees it in clear. */
export interface CookieRecord {
  readonly cookieName: string
  readonly platform: string
  readonly cookieEncrypted: string
  readonly encryptionKeyId: string
  readonly status: CookieStatus
  readonly priority: number
  readonly dailyUsed: number
  /** The day that `dailyUsed` counts; on another day it counts nothing. */
  readonly usedDay: UtcDay
  readonly dailyLimit: number
  readonly consecutiveErrors: number
  readonly totalErrors: number
  readonly coolingUntil: number | undefined
  readonly createdAt: number
  readonly updatedAt: number
}

export type CookieExists = { readonly kind: 'cookie-exists'; readonly cookieName: string }

/** What a decision about a platform's cookies comes to: the ones it changed, and its answer. */
export interface CookieDecision<T> {
  readonly changed: readonly CookieRecord[]
  readonly answer: T
}

/**
 * Each call is atomic. What people follow in the mirror (status, priority, limits, cooling) is written to the
 * outbox in the same transaction; a mere use is not, and the sealed value never is.
 */
export interface CookieStore {
  add(cookie: CookieRecord, origin: Origin): Promise<Result<void, CookieExists>>
  /** By platform, then name. */
  list(): Promise<readonly CookieRecord[]>
  /**
   * Lets `decide` see all cookies of a platform and change some, with no other decision in between:
   * two callers are never given the last use of one cookie. `decide` is pure and may run again.
   */
  decide<T>(
    platform: string,
    decide: (cookies: readonly CookieRecord[]) => CookieDecision<T>,
    origin: Origin,
  ): Promise<T>
  /** Exchanges the sealed value, only while it is still the one that was read; false when it is not. */
  reseal(
    cookieName: string,
    exchange: { from: string; to: string; encryptionKeyId: string },
  ): Promise<boolean>
}
