import fc from 'fast-check'
import { expect, it } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { startOfUtcDay, utcDayOf, utcDaysUntil } from '../../src/core/utc-day.ts'

const instants = fc
  .date({ min: new Date('1970-01-01T00:00:00Z'), max: new Date('9999-12-30'), noInvalidDate: true })
  .map((date) => date.getTime())

it('is the day in UTC, wherever the machine is', () => {
  expect(utcDayOf(Date.parse('2025-01-15T23:59:59.999Z'))).toBe('2025-01-15')
  expect(utcDayOf(Date.parse('2025-01-16T00:00:00.000Z'))).toBe('2025-01-16')
  expect(utcDayOf(Date.parse('2025-01-15T20:00:00-08:00'))).toBe('2025-01-16')
})

it('holds every instant from its start to the next start', () => {
  fc.assert(
    fc.property(instants, (instant) => {
      const start = startOfUtcDay(utcDayOf(instant))
      expect(start).toBeLessThanOrEqual(instant)
      expect(instant).toBeLessThan(start + days(1))
      expect(utcDayOf(start)).toBe(utcDayOf(instant))
      expect(utcDayOf(start - 1)).not.toBe(utcDayOf(instant))
    }),
  )
})

it('sorts as a string in the order of time', () => {
  fc.assert(
    fc.property(instants, instants, (a, b) => {
      fc.pre(a <= b)
      expect(utcDayOf(a) <= utcDayOf(b)).toBe(true)
    }),
  )
})

it('counts back across a month, a leap day and a year', () => {
  const last = utcDayOf(Date.parse('2024-03-01T12:00:00Z'))
  expect(utcDaysUntil(last, 3)).toEqual(['2024-02-28', '2024-02-29', '2024-03-01'])
  expect(utcDaysUntil(utcDayOf(Date.parse('2025-01-01T00:00:00Z')), 2)).toEqual([
    '2024-12-31',
    '2025-01-01',
  ])
  expect(utcDaysUntil(last, 0)).toEqual([])
})

it('refuses what is no time', () => {
  expect(() => utcDayOf(Number.NaN)).toThrow(RangeError)
})
