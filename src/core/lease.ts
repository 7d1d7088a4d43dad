/** The right to work on `name` alone until `expiresAt`, unless renewed. */
export interface Lease {
  readonly name: string
  readonly holder: string
  /** Milliseconds since the epoch, by the clock of the store. */
  readonly expiresAt: number
  /** Grows by one with every new holder; a write that carries an older one is stale. */
  readonly fence: number
}

/** At the very moment of expiry the lease is already free. */
export function isExpired(lease: Pick<Lease, 'expiresAt'>, now: number): boolean {
  return lease.expiresAt <= now
}

/**
 * How often a holder renews: two renewals may be late or lost before the lease is.
 * Renewing with every item instead would cost as much as the work.
 */
export function renewalIntervalMs(ttlMs: number): number {
  return Math.floor(ttlMs / 3)
}
