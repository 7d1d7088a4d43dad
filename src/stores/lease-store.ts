import type { Lease } from '../core/lease.ts'
import type { Result } from '../core/result.ts'

export type LeaseTaken = {
  readonly kind: 'lease-taken'
  readonly holder: string
  readonly expiresAt: number
}
export type LeaseLost = { readonly kind: 'lease-lost'; readonly name: string }

export interface LeaseAsk {
  readonly name: string
  readonly holder: string
  readonly ttlMs: number
}

/** Who may work on what, one holder at a time. Each call is atomic, also between processes. */
export interface LeaseStore {
  /** Of any number who ask at once exactly one gets it; a dead holder's lease is free when it expires. */
  acquire(ask: LeaseAsk): Promise<Result<Lease, LeaseTaken>>
  /** Fails once somebody else has had the lease since; a late holder that nobody replaced keeps it. */
  renew(lease: Lease, ttlMs: number): Promise<Result<Lease, LeaseLost>>
  /** Frees the lease at once. Does nothing when it is no longer ours. */
  release(lease: Lease): Promise<void>
  /** The leases that are held now. */
  held(): Promise<readonly Lease[]>
}
