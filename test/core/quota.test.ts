import fc from 'fast-check'
import { expect, it } from 'vitest'
import { quotaGrant, quotaRemaining } from '../../src/core/quota.ts'
import { scenario } from '../support/scenario.ts'

scenario('B04', 'what remains is the quota less what is used, also after an overrun', () => {
  expect(quotaRemaining({ used: 85, limit: 100, closed: false })).toBe(15)
  expect(quotaRemaining({ used: 100, limit: 100, closed: false })).toBe(0)
  expect(quotaRemaining({ used: 105, limit: 100, closed: false })).toBe(0)
})

it('leaves nothing once the other side has closed the day', () => {
  expect(quotaRemaining({ used: 10, limit: 100, closed: true })).toBe(0)
  expect(quotaGrant({ used: 10, limit: 100, closed: true }, 1)).toBe(0)
})

it('grants what is wanted, as far as it remains', () => {
  expect(quotaGrant({ used: 95, limit: 100, closed: false }, 3)).toBe(3)
  expect(quotaGrant({ used: 95, limit: 100, closed: false }, 10)).toBe(5)
  fc.assert(
    fc.property(fc.nat(600), fc.nat(500), fc.nat(600), (used, limit, wanted) => {
      const granted = quotaGrant({ used, limit, closed: false }, wanted)
      expect(granted).toBeGreaterThanOrEqual(0)
      expect(granted).toBeLessThanOrEqual(wanted)
      expect(used + granted).toBeLessThanOrEqual(Math.max(used, limit))
    }),
  )
})
