import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import { type Lease, renewalIntervalMs } from '../core/lease.ts'
import { ok, type Result } from '../core/result.ts'
import type { LeaseLost, LeaseStore, LeaseTaken } from './lease-store.ts'

/** Whoever died is replaced after this long; who lives renews three times in it. */
const LEASE_MS = minutes(2)

export interface HeldLease {
  readonly lease: Lease
  /** Aborts when somebody else has the lease, or when the caller's own signal does. */
  readonly signal: AbortSignal
  release(): Promise<void>
  /** Keeps it without renewing it: nobody else can work before `ms` have passed. Gives what `resumeLease` takes. */
  park(ms: number): Promise<Lease>
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
  const { name, holder, leases } = ask
  const taken = await leases.acquire({ name, holder, ttlMs: LEASE_MS })
  return taken.ok ? ok(keepLease(taken.value, ask)) : taken
}

/** Goes on with a lease that was parked. Lost when somebody else has taken it since. */
export async function resumeLease(
  lease: Lease,
  ask: Pick<HoldAsk, 'leases' | 'clock' | 'signal'>,
): Promise<Result<HeldLease, LeaseLost>> {
  const renewed = await ask.leases.renew(lease, LEASE_MS)
  return renewed.ok ? ok(keepLease(renewed.value, ask)) : renewed
}

function keepLease(
  taken: Lease,
  { leases, clock, signal }: Pick<HoldAsk, 'leases' | 'clock' | 'signal'>,
): HeldLease {
  const lost = new AbortController()
  let lease = taken
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
  const letGo = () => {
    isReleased = true
    cancelRenewal()
  }
  return {
    lease: taken,
    signal: AbortSignal.any([lost.signal, signal]),
    async release() {
      letGo()
      await leases.release(lease)
    },
    async park(ms) {
      letGo()
      const parked = await leases.renew(lease, ms)
      return parked.ok ? parked.value : lease
    },
  }
}
