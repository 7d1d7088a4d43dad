import type { UtcDay } from '../core/utc-day.ts'

/** One day's allowance of one site at one channel. A new day is a new, empty account. */
export interface QuotaAccount {
  readonly channel: string
  readonly siteId: string
  readonly day: UtcDay
}

export interface QuotaUse {
  readonly used: number
  /** Set by `close`: nothing more is granted on this day. */
  readonly closed: boolean
  readonly lastSpentAt: number | undefined
}

/** Calls made to one credential rest until then, whichever site makes them. */
export interface QuotaHold {
  readonly channel: string
  /** What the other side counts by: a fingerprint of an API key. A new key is a new account, without holds. */
  readonly credential: string
  /** Milliseconds since the epoch; `Number.MAX_SAFE_INTEGER` for as long as the credential is the same. */
  readonly until: number
  readonly reason: string
}

/**
 * Counts what is spent, before it is sent: a run that is killed in between has counted too much, never too little.
 * Each call is atomic: of two spenders at 95 of 100 the two together are granted 5.
 * A backend without atomic addition declares `losesConcurrentSpends`.
 */
export interface QuotaStore {
  use(account: QuotaAccount): Promise<QuotaUse>
  /** Takes as much of `wanted` as `limit` leaves and tells how much that was. */
  spend(account: QuotaAccount, ask: { wanted: number; limit: number }): Promise<number>
  /** Returns what was spent and then certainly not used; the account never falls below zero. */
  giveBack(account: QuotaAccount, count: number): Promise<void>
  /** The other side said that the day is full, whatever we counted. */
  close(account: QuotaAccount): Promise<void>
  /** Sets a hold or prolongs it; a shorter one never replaces a longer one. */
  hold(hold: QuotaHold): Promise<void>
  /** Ends a hold before its time: what it was for is mended. */
  release(channel: string, credential: string): Promise<void>
  /** The hold in force now, if any. */
  heldUntil(channel: string, credential: string): Promise<QuotaHold | undefined>
}
