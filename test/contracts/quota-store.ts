import { describe, expect, it } from 'vitest'
import { hours } from '../../src/core/duration.ts'
import { utcDayOf } from '../../src/core/utc-day.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

export interface QuotaTraits {
  /** Set, with the reason, where concurrent spends may be lost (SPEC B04: a soft limit). */
  readonly losesConcurrentSpends?: string
}

const account = { channel: 'bing', siteId: 'example.com', day: utcDayOf(0) }
const limit = 100

export function quotaStoreContract(backend: Backend, traits: QuotaTraits = {}) {
  describe(`QuotaStore: ${backend.name}`, () => {
    it('starts an unknown account at zero', async () => {
      const { stores } = await begin(backend)
      expect(await stores.quota.use(account)).toEqual({
        used: 0,
        closed: false,
        lastSpentAt: undefined,
      })
    })

    it('adds what is spent and remembers when', async () => {
      const { stores, clock } = await begin(backend)
      expect(await stores.quota.spend(account, { wanted: 50, limit })).toBe(50)
      clock.advance(hours(1))
      expect(await stores.quota.spend(account, { wanted: 30, limit })).toBe(30)
      expect(await stores.quota.use(account)).toEqual({
        used: 80,
        closed: false,
        lastSpentAt: clock.now(),
      })
    })

    it('grants no more than is left, and then nothing', async () => {
      const { stores } = await begin(backend)
      await stores.quota.spend(account, { wanted: 95, limit })
      expect(await stores.quota.spend(account, { wanted: 10, limit })).toBe(5)
      expect(await stores.quota.spend(account, { wanted: 1, limit })).toBe(0)
      expect(await stores.quota.spend(account, { wanted: 1, limit: 50 })).toBe(0)
    })

    it('keeps days, sites and channels apart', async () => {
      const { stores } = await begin(backend)
      await stores.quota.spend(account, { wanted: 100, limit })
      for (const other of [
        { ...account, day: utcDayOf(86_400_000) },
        { ...account, siteId: 'other.example' },
        { ...account, channel: 'indexnow' },
      ]) {
        expect(await stores.quota.use(other)).toMatchObject({ used: 0 })
      }
    })

    it('takes back what was not used, never below zero', async () => {
      const { stores } = await begin(backend)
      await stores.quota.spend(account, { wanted: 30, limit })
      await stores.quota.giveBack(account, 10)
      expect(await stores.quota.use(account)).toMatchObject({ used: 20 })
      await stores.quota.giveBack(account, 99)
      expect(await stores.quota.use(account)).toMatchObject({ used: 0 })
    })

    it('grants nothing on a closed day, and keeps the count', async () => {
      const { stores } = await begin(backend)
      await stores.quota.spend(account, { wanted: 30, limit })
      await stores.quota.close(account)
      expect(await stores.quota.spend(account, { wanted: 1, limit })).toBe(0)
      expect(await stores.quota.use(account)).toMatchObject({ used: 30, closed: true })
    })

    it('holds a credential until its time, and never shortens a hold', async () => {
      const { stores, clock } = await begin(backend)
      const hold = {
        channel: 'bing',
        credential: 'k',
        until: clock.now() + hours(2),
        reason: 'slow',
      }
      await stores.quota.hold(hold)
      await stores.quota.hold({ ...hold, until: clock.now() + hours(1), reason: 'shorter' })
      expect(await stores.quota.heldUntil('bing', 'k')).toEqual(hold)
      expect(await stores.quota.heldUntil('bing', 'other')).toBeUndefined()
      clock.advance(hours(2))
      expect(await stores.quota.heldUntil('bing', 'k')).toBeUndefined()
    })

    it('ends a hold before its time, and only that one', async () => {
      const { stores, clock } = await begin(backend)
      const hold = { channel: 'bing', until: clock.now() + hours(2), reason: 'not listed' }
      await stores.quota.hold({ ...hold, credential: 'k' })
      await stores.quota.hold({ ...hold, credential: 'other' })
      await stores.quota.release('bing', 'k')
      expect(await stores.quota.heldUntil('bing', 'k')).toBeUndefined()
      expect(await stores.quota.heldUntil('bing', 'other')).toMatchObject({ credential: 'other' })
    })

    it.skipIf(traits.losesConcurrentSpends)('grants two at 95 of 100 the last 5 once', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      await stores.quota.spend(account, { wanted: 95, limit })
      const granted = await Promise.all(
        [stores, second].map(({ quota }) => quota.spend(account, { wanted: 5, limit })),
      )
      expect(granted.toSorted((a, b) => a - b)).toEqual([0, 5])
    })

    it.skipIf(traits.losesConcurrentSpends ?? backend.oneProcessOnly)(
      'loses no spend of two processes',
      async () => {
        const { stores, twoProcesses } = await begin(backend)
        const inTurn = await twoProcesses()
        const granted = await Promise.all(
          Array.from({ length: 60 }, (_, i) =>
            inTurn(i).quota.spend(account, { wanted: 3, limit }),
          ),
        )
        expect(granted.reduce((sum, count) => sum + count, 0)).toBe(100)
        expect(await stores.quota.use(account)).toMatchObject({ used: 100 })
      },
    )

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of spending', () =>
      survivesKill(backend, {
        arrange: ({ quota }) => quota.spend(account, { wanted: 90, limit }),
        act: ({ quota }) => quota.spend(account, { wanted: 20, limit }),
        look: ({ quota }) => quota.use(account),
      }),
    )
  })
}
