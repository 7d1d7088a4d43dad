import { describe, expect, it } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { utcDayOf, utcDaysUntil } from '../../src/core/utc-day.ts'
import { CENSUSES_KEPT, type Census } from '../../src/stores/census-store.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const NOON = Date.parse('2025-01-15T12:00:00Z')

/** A count at noon, so many days later. */
const censusOf = (later: number, more: Partial<Census> = {}): Census => {
  const countedAt = NOON + days(later)
  const counts = { pending: 3, processing: 2, collected: 5_000_000_000, failed: 1 }
  return { day: utcDayOf(countedAt), countedAt, ...counts, ...more }
}
const daysAround = utcDaysUntil(utcDayOf(NOON + days(3)), 9)

export function censusStoreContract(backend: Backend) {
  describe(`CensusStore: ${backend.name}`, () => {
    it('gives what was counted on the days that are asked for, oldest first', async () => {
      const { stores, another } = await begin(backend)
      for (const later of [2, 0, 9]) await stores.census.keep(censusOf(later))

      const other = await another()

      expect(await other.census.list(daysAround.toReversed())).toEqual([censusOf(0), censusOf(2)])
      expect(await other.census.list([])).toEqual([])
    })

    it('leaves a day out that was not counted, and keeps a count of nothing', async () => {
      const { stores } = await begin(backend)
      const nothing = censusOf(1, { pending: 0, processing: 0, collected: 0, failed: 0 })
      await stores.census.keep(nothing)

      expect(await stores.census.list(daysAround)).toEqual([nothing])
    })

    it('lets the last count of a day take the place of the one before', async () => {
      const { stores } = await begin(backend)
      const later = censusOf(0, { countedAt: NOON + 1, pending: 7, processing: 0, failed: 9 })
      await stores.census.keep(censusOf(0))
      await stores.census.keep(later)

      expect(await stores.census.list(daysAround)).toEqual([later])
    })

    it('forgets all but the newest days, however far apart they are', async () => {
      const { stores } = await begin(backend)
      const all = Array.from({ length: CENSUSES_KEPT + 2 }, (_, n) => censusOf(n * 10))
      for (const census of all) await stores.census.keep(census)

      expect(await stores.census.list(all.map(({ day }) => day))).toEqual(all.slice(2))
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill between a count and what it outdates', () =>
      survivesKill(backend, {
        async arrange({ census }) {
          for (let n = 1; n <= CENSUSES_KEPT; n++) await census.keep(censusOf(n))
        },
        act: ({ census }) => census.keep(censusOf(CENSUSES_KEPT + 1)),
        look: ({ census }) =>
          census.list([1, 2, CENSUSES_KEPT, CENSUSES_KEPT + 1].map((n) => censusOf(n).day)),
      }),
    )
  })
}
