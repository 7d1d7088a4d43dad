import fc from 'fast-check'
import { expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { isExpired, renewalIntervalMs } from '../../src/core/lease.ts'

it('is free at the very moment of its expiry', () => {
  expect(isExpired({ expiresAt: 1_000 }, 999)).toBe(false)
  expect(isExpired({ expiresAt: 1_000 }, 1_000)).toBe(true)
  expect(isExpired({ expiresAt: 1_000 }, 1_001)).toBe(true)
})

it('is renewed so often that two renewals may be lost', () => {
  expect(renewalIntervalMs(minutes(30))).toBe(minutes(10))
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 10 ** 9 }), (ttlMs) => {
      expect(3 * renewalIntervalMs(ttlMs)).toBeLessThanOrEqual(ttlMs)
      expect(renewalIntervalMs(ttlMs)).toBeGreaterThan(0)
    }),
  )
})
