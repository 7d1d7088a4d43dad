import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import type { Lease } from '../../src/core/lease.ts'
import type { LeaseStore } from '../../src/stores/lease-store.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

/** Facts about a backend that change what it can promise. Each skip carries its reason. */
export interface LeaseTraits {
  readonly notAtomic?: string
}

const ask = (holder: string) => ({ name: 'site:example.com', holder, ttlMs: minutes(30) })

async function taken(store: LeaseStore, holder: string): Promise<Lease> {
  const result = await store.acquire(ask(holder))
  if (!result.ok) throw new Error('not acquired')
  return result.value
}

export function leaseStoreContract(backend: Backend, traits: LeaseTraits = {}) {
  describe(`LeaseStore: ${backend.name}`, () => {
    it.skipIf(traits.notAtomic)(
      'gives a lease to exactly one of many who ask at once',
      async () => {
        const { stores, another } = await begin(backend)
        const second = await another()
        const asked = await Promise.all(
          ['a', 'b', 'c', 'd', 'e', 'f'].map((who, i) =>
            (i % 2 ? stores : second).leases.acquire(ask(who)),
          ),
        )
        expect(asked.filter((result) => result.ok)).toHaveLength(1)
      },
    )

    it.skipIf(traits.notAtomic ?? backend.oneProcessOnly)(
      'gives it to one of two processes, however often both ask',
      async () => {
        const { anotherProcess } = await begin(backend)
        const [one, two] = [await anotherProcess(), await anotherProcess()]
        for (let round = 0; round < 50; round++) {
          const asked = await Promise.all(
            [one, two].map(({ leases }, i) =>
              leases.acquire({ ...ask(`p${i}`), name: `n${round}` }),
            ),
          )
          expect(asked.filter((result) => result.ok)).toHaveLength(1)
        }
      },
    )

    it('tells the loser who holds it, and until when', async () => {
      const { stores, clock } = await begin(backend)
      await taken(stores.leases, 'run-1')
      expect(await stores.leases.acquire(ask('run-2'))).toEqual({
        ok: false,
        failure: { kind: 'lease-taken', holder: 'run-1', expiresAt: clock.now() + minutes(30) },
      })
    })

    it('frees an expired lease to the next who asks, with a greater fence', async () => {
      const { stores, clock } = await begin(backend)
      const first = await taken(stores.leases, 'run-1')
      clock.advance(minutes(30) - 1)
      expect((await stores.leases.acquire(ask('run-2'))).ok).toBe(false)

      clock.advance(1)
      const next = await taken(stores.leases, 'run-2')

      expect(next).toMatchObject({ holder: 'run-2', expiresAt: clock.now() + minutes(30) })
      expect(next.fence).toBeGreaterThan(first.fence)
    })

    it('keeps a renewed lease past its first term', async () => {
      const { stores, clock } = await begin(backend)
      const first = await taken(stores.leases, 'run-1')
      clock.advance(minutes(29))
      expect(await stores.leases.renew(first, minutes(30))).toMatchObject({ ok: true })
      clock.advance(minutes(29))
      expect((await stores.leases.acquire(ask('run-2'))).ok).toBe(false)
    })

    it('lets a late holder renew as long as nobody has replaced it', async () => {
      const { stores, clock } = await begin(backend)
      const first = await taken(stores.leases, 'run-1')
      clock.advance(minutes(31))
      expect(await stores.leases.renew(first, minutes(30))).toEqual({
        ok: true,
        value: { ...first, expiresAt: clock.now() + minutes(30) },
      })
    })

    it('tells a holder that was replaced, and lets it free nothing', async () => {
      const { stores, clock } = await begin(backend)
      const first = await taken(stores.leases, 'run-1')
      clock.advance(minutes(31))
      await taken(stores.leases, 'run-2')
      expect(await stores.leases.renew(first, minutes(30))).toEqual({
        ok: false,
        failure: { kind: 'lease-lost', name: 'site:example.com' },
      })
      await stores.leases.release(first)
      expect((await stores.leases.acquire(ask('run-3'))).ok).toBe(false)
    })

    it('frees a released lease at once, for good, and still raises the fence', async () => {
      const { stores } = await begin(backend)
      const first = await taken(stores.leases, 'run-1')
      await stores.leases.release(first)
      expect(await stores.leases.renew(first, minutes(30))).toMatchObject({ ok: false })
      expect((await taken(stores.leases, 'run-2')).fence).toBeGreaterThan(first.fence)
    })

    it('lists what is held now', async () => {
      const { stores, clock } = await begin(backend)
      const lease = await taken(stores.leases, 'run-1')
      expect(await stores.leases.held()).toEqual([lease])
      clock.advance(minutes(30))
      expect(await stores.leases.held()).toEqual([])
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of taking it', () =>
      survivesKill(backend, {
        arrange: async () => undefined,
        // The next run of the same name asks again: what matters is that the lease is not torn.
        act: (stores) => stores.leases.acquire(ask('run-1')),
        look: (stores) => stores.leases.held(),
      }),
    )
  })
}
