import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../src/core/duration.ts'
import type { LeaseStore } from '../../src/stores/lease-store.ts'
import { type HeldLease, holdLease } from '../../src/stores/hold-lease.ts'
import { begin } from '../contracts/backend.ts'
import { scenario } from '../support/scenario.ts'
import { sqliteBackend } from '../support/sqlite-backend.ts'

const RENEWAL_MS = seconds(40)

async function beginLeases() {
  const { clock, stores } = await begin(sqliteBackend)
  const waiting: (() => void)[] = []
  /** Of the run to its store, while everybody else reaches theirs. */
  const connection = {
    isBroken: false,
    isSlow: false,
    answer: () => waiting.splice(0).forEach((go) => go()),
  }
  const shaky: LeaseStore = {
    ...stores.leases,
    async renew(lease, ttlMs) {
      if (connection.isBroken) throw new Error('connection lost')
      if (connection.isSlow) await new Promise<void>((go) => waiting.push(go))
      return stores.leases.renew(lease, ttlMs)
    },
  }
  return {
    clock,
    leases: stores.leases,
    connection,
    hold: (holder: string, leases = shaky, signal = new AbortController().signal) =>
      holdLease({ name: 'site:example.com', holder, leases, clock, signal }),
    /** Lets time go by, and renewals that fall due be answered. */
    pass: async (ms: number) => {
      for (let left = ms; left > 0; left -= seconds(10)) {
        clock.advance(Math.min(left, seconds(10)))
        await new Promise((idle) => setImmediate(idle))
      }
    },
  }
}

function taken(result: Awaited<ReturnType<typeof holdLease>>): HeldLease {
  if (!result.ok) throw new Error(`held by ${result.failure.holder}`)
  return result.value
}

describe('a lease that is held', () => {
  scenario('R03', 'is refused to a second run, which learns who has it', async () => {
    const { clock, hold } = await beginLeases()
    await hold('run-1')

    const refused = await hold('run-2')

    expect(refused).toEqual({
      ok: false,
      failure: { kind: 'lease-taken', holder: 'run-1', expiresAt: clock.now() + minutes(2) },
    })
    expect(clock.waiting).toBe(1)
  })

  scenario('R03', 'is renewed for as long as the run lasts', async () => {
    const { clock, hold, leases, pass } = await beginLeases()
    const held = taken(await hold('run-1'))

    await pass(minutes(30))

    expect((await hold('run-2')).ok).toBe(false)
    expect(held.signal.aborted).toBe(false)
    const [lease] = await leases.held()
    expect(lease?.fence).toBe(held.lease.fence)
    expect(lease?.expiresAt).toBeGreaterThan(clock.now() + RENEWAL_MS)
  })

  scenario('R03', 'is free at once when it is released, and asks for nothing more', async () => {
    const { clock, hold } = await beginLeases()
    const held = taken(await hold('run-1'))

    await held.release()

    expect(clock.waiting).toBe(0)
    const next = taken(await hold('run-2'))
    expect(next.lease.fence).toBeGreaterThan(held.lease.fence)
    expect(held.signal.aborted).toBe(false)
  })

  scenario('R03', 'is lost by a dead run, whose successor keeps it', async () => {
    const { clock, hold, leases, pass } = await beginLeases()
    await leases.acquire({ name: 'site:example.com', holder: 'killed', ttlMs: minutes(2) })
    clock.advance(minutes(2))

    const held = taken(await hold('run-2'))
    await pass(minutes(5))

    expect(held.signal.aborted).toBe(false)
    expect(await leases.held()).toMatchObject([{ holder: 'run-2' }])
  })

  scenario('R03', 'stops a run that was out of touch and has been replaced', async () => {
    const { hold, leases, pass, connection } = await beginLeases()
    const held = taken(await hold('run-1'))
    connection.isBroken = true
    await pass(minutes(2))
    expect(held.signal.aborted).toBe(false)

    taken(await hold('run-2', leases))
    connection.isBroken = false
    await pass(RENEWAL_MS)

    expect(held.signal.aborted).toBe(true)
    await held.release()
    expect(await leases.held()).toMatchObject([{ holder: 'run-2' }])
  })

  scenario('R03', 'survives a store that fails for a while', async () => {
    const { hold, leases, pass, connection } = await beginLeases()
    const held = taken(await hold('run-1'))

    connection.isBroken = true
    await pass(2 * RENEWAL_MS)
    connection.isBroken = false
    await pass(minutes(10))

    expect(held.signal.aborted).toBe(false)
    expect(await leases.held()).toMatchObject([{ holder: 'run-1' }])
  })

  it('passes on that the run is to stop', async () => {
    const { hold, leases } = await beginLeases()
    const stop = new AbortController()
    const held = taken(await hold('run-1', leases, stop.signal))

    stop.abort()

    expect(held.signal.aborted).toBe(true)
    expect(await leases.held()).toHaveLength(1)
  })

  it('is not renewed again by an answer that comes after its release', async () => {
    const { clock, hold, leases, connection } = await beginLeases()
    const held = taken(await hold('run-1'))
    connection.isSlow = true
    clock.advance(RENEWAL_MS)

    const released = held.release()
    connection.answer()
    await released
    await new Promise((idle) => setImmediate(idle))

    expect(clock.waiting).toBe(0)
    expect(await leases.held()).toEqual([])
    expect(held.signal.aborted).toBe(false)
  })
})
