import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import { type Lease, renewalIntervalMs } from '../core/lease.ts'
import { ok, type Result } from '../core/result.ts'
import type { LeaseStore, LeaseTaken } from './lease-store.ts'

/** Whoever died is replaced after this long; who lives renews three times in it. */
const LEASE_MS = minutes(2)

export interface HeldLease {
  readonly lease: Lease
  /** Aborts when somebody else has the lease, or when the caller's own signal does. */
  readonly signal: AbortSignal
  release(): Promise<void>
}

export interface HoldAsk {
  readonly name: string
  readonly holder: string
  readonly leases: LeaseStore
  readonly clock: Clock
  readonly signal: AbortSignal
}

/** Takes a lease and keeps it until it is released (SPEC R03). */
export async function holdLease(ask: HoldAsk): Promise<Result<HeldLease, LeaseTaken>> {
  const { name, holder, leases, clock } = ask
  const taken = await leases.acquire({ name, holder, ttlMs: LEASE_MS })
  if (!taken.ok) return taken
  const lost = new AbortController()
  let lease = taken.value
  let isReleased = false
  let cancelRenewal = () => {}
  const renewLater = () => {
    cancelRenewal = clock.after(renewalIntervalMs(LEASE_MS), () => void renew())
  }
  const renew = async () => {
    // A store that fails once may work again before the lease is over; the fence guards in between.
    const renewed = await leases.renew(lease, LEASE_MS).catch(() => undefined)
    if (isReleased) return
    if (renewed && !renewed.ok) return lost.abort()
    lease = renewed?.value ?? lease
    renewLater()
  }
  renewLater()
  return ok({
    lease: taken.value,
    signal: AbortSignal.any([lost.signal, ask.signal]),
    async release() {
      isReleased = true
      cancelRenewal()
      await leases.release(lease)
    },
  })
}
