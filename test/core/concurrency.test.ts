import { expect, it } from 'vitest'
import { mapWithConcurrency } from '../../src/core/concurrency.ts'
import { ManualClock } from '../support/manual-clock.ts'

it('gives the results in the order of the items, however long each took', async () => {
  const clock = new ManualClock()

  const mapped = mapWithConcurrency([30, 10, 20], 3, async (ms, index) => {
    await clock.sleep(ms)
    return `${index}:${ms}`
  })
  await clock.pass(30)

  expect(await mapped).toEqual(['0:30', '1:10', '2:20'])
})

it('has never more than the limit under way, and that many while there is work', async () => {
  const clock = new ManualClock()
  const began = clock.now()
  let underWay = 0
  let most = 0

  const mapped = mapWithConcurrency([...Array(20).keys()], 3, async () => {
    most = Math.max(most, ++underWay)
    await clock.sleep(10)
    underWay--
    return clock.now() - began
  })
  await clock.pass(100)

  expect(most).toBe(3)
  expect((await mapped).at(-1)).toBe(70)
})

it('starts nothing after the first rejection, which is what the caller gets', async () => {
  const clock = new ManualClock()
  const started: number[] = []

  const mapped = mapWithConcurrency([1, 2, 3, 4, 5], 2, async (i) => {
    started.push(i)
    await clock.sleep(10 * i)
    if (i === 1) throw new Error(`item ${i}`)
  })
  const outcome = mapped.catch((error: Error) => error.message)
  await clock.pass(100)

  expect(await outcome).toBe('item 1')
  expect(started).toEqual([1, 2])
})

it('makes no more lanes than items, and does nothing for none', async () => {
  expect(await mapWithConcurrency([], 5, async () => 1)).toEqual([])
  expect(await mapWithConcurrency(['a'], Number.POSITIVE_INFINITY, async (x) => x)).toEqual(['a'])
})

it('refuses a limit under which nothing would be mapped', async () => {
  for (const limit of [0, -1, Number.NaN]) {
    await expect(mapWithConcurrency([1], limit, async (x) => x)).rejects.toThrow(RangeError)
  }
})
