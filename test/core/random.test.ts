import { expect, it } from 'vitest'
import { systemRandom } from '../../src/core/random.ts'

it('gives fractions from 0 to just under 1', () => {
  const fractions = Array.from({ length: 1_000 }, () => systemRandom.fraction())
  expect(fractions.every((fraction) => fraction >= 0 && fraction < 1)).toBe(true)
  expect(new Set(fractions).size).toBeGreaterThan(990)
})

it('gives as many bytes as asked for, different each time', () => {
  const [one, other] = [systemRandom.bytes(32), systemRandom.bytes(32)]
  expect([one.length, other.length]).toEqual([32, 32])
  expect(one).not.toEqual(other)
  expect(systemRandom.bytes(0)).toHaveLength(0)
})

it('gives version 4 UUIDs', () => {
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/
  expect(systemRandom.uuid()).toMatch(uuid)
  expect(systemRandom.uuid()).not.toBe(systemRandom.uuid())
})
