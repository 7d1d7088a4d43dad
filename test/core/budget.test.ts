import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { openBudget } from '../../src/core/budget.ts'
import { minutes } from '../../src/core/duration.ts'
import { FakeClock } from '../support/fake-clock.ts'

describe('budget', () => {
  it('gives what is left, and nothing of what is more than that', () => {
    const budget = openBudget({ subrequests: 50 }, new FakeClock())

    expect(budget.take('subrequests', 48)).toBe(true)
    expect(budget.take('subrequests', 3)).toBe(false)

    expect(budget.left('subrequests')).toBe(2)
    expect(budget.take('subrequests')).toBe(true)
    expect(budget.exhausted()).toBeUndefined()
    expect(budget.take('subrequests')).toBe(true)
    expect(budget.exhausted()).toBe('subrequests')
  })

  it('uses up time by itself', () => {
    const clock = new FakeClock()
    const budget = openBudget({ timeMs: minutes(5) }, clock)

    clock.advance(minutes(4))
    expect([budget.left('timeMs'), budget.exhausted()]).toEqual([minutes(1), undefined])

    clock.advance(minutes(2))
    expect([budget.left('timeMs'), budget.exhausted()]).toEqual([0, 'timeMs'])
  })

  it('does not limit a part without a limit, and counts it all the same', () => {
    const clock = new FakeClock()
    const budget = openBudget({}, clock)

    clock.advance(7)
    budget.take('urls', 1_000_000)
    budget.take('subrequests', 3)

    expect(budget.exhausted()).toBeUndefined()
    expect(budget.left('urls')).toBe(Number.POSITIVE_INFINITY)
    expect(budget.used()).toEqual({ timeMs: 7, urls: 1_000_000, subrequests: 3 })
  })

  it('is used up from the start when it is nothing', () => {
    expect(openBudget({ urls: 0 }, new FakeClock()).exhausted()).toBe('urls')
  })

  it('never gives more than its limit', () => {
    fc.assert(
      fc.property(fc.nat(200), fc.array(fc.nat(60)), (limit, asks) => {
        const budget = openBudget({ urls: limit }, new FakeClock())
        const given = asks.filter((ask) => budget.take('urls', ask))
        const sum = given.reduce((total, ask) => total + ask, 0)
        expect(budget.used().urls).toBe(sum)
        expect(budget.left('urls')).toBe(limit - sum)
        expect(sum).toBeLessThanOrEqual(limit)
      }),
    )
  })
})
