import { describe, expect, it, vi } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { days } from '../../src/core/duration.ts'

// Here alone the platform's own timers are under test; they are stood in for, so that nobody waits.
function withTimers(body: () => Promise<void> | void) {
  return async () => {
    vi.useFakeTimers({ now: Date.parse('2025-01-15T00:00:00Z') })
    try {
      await body()
    } finally {
      vi.useRealTimers()
    }
  }
}

describe('systemClock', () => {
  it(
    'tells the time in milliseconds since the epoch',
    withTimers(() => expect(systemClock.now()).toBe(1_736_899_200_000)),
  )

  it(
    'wakes a sleeper when the time has passed and not before',
    withTimers(async () => {
      let awake = false
      const slept = systemClock.sleep(100).then(() => (awake = true))

      await vi.advanceTimersByTimeAsync(99)
      expect(awake).toBe(false)

      await vi.advanceTimersByTimeAsync(1)
      await slept
      expect(awake).toBe(true)
    }),
  )

  it(
    'wakes a sleeper at once when the signal aborts, and keeps neither timer nor listener',
    withTimers(async () => {
      const controller = new AbortController()
      const removed = vi.spyOn(controller.signal, 'removeEventListener')
      const slept = systemClock.sleep(60_000, controller.signal)

      controller.abort()
      await slept

      expect(vi.getTimerCount()).toBe(0)
      expect(removed).toHaveBeenCalledOnce()
    }),
  )

  it(
    'does not sleep when the signal has aborted already',
    withTimers(async () => {
      await systemClock.sleep(60_000, AbortSignal.abort())
      expect(vi.getTimerCount()).toBe(0)
    }),
  )

  it(
    'rings once, unless cancelled before',
    withTimers(async () => {
      const rung: string[] = []
      systemClock.after(10, () => rung.push('kept'))
      const cancel = systemClock.after(10, () => rung.push('cancelled'))

      cancel()
      await vi.advanceTimersByTimeAsync(100)

      expect(rung).toEqual(['kept'])
    }),
  )

  it('takes a wait longer than a timer can hold as long, not as none', () => {
    const set = vi.spyOn(globalThis, 'setTimeout')
    try {
      const cancel = systemClock.after(days(365), () => undefined)
      const stop = new AbortController()
      void systemClock.sleep(Number.POSITIVE_INFINITY, stop.signal)
      expect(set.mock.calls.map(([, ms]) => ms)).toEqual([2 ** 31 - 1, 2 ** 31 - 1])
      cancel()
      stop.abort()
    } finally {
      set.mockRestore()
    }
  })
})
