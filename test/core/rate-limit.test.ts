import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { rateLimit, type Pace } from '../../src/core/rate-limit.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { ManualClock } from '../support/manual-clock.ts'
import { scenario } from '../support/scenario.ts'

/** What `lasting` milliseconds long tasks did, all asked for at once. */
async function watch(pace: Pace, lasting: readonly number[]) {
  const clock = new ManualClock()
  const began = clock.now()
  const limit = rateLimit(pace, clock)
  const starts: { task: number; at: number }[] = []
  let inFlight = 0
  let most = 0
  const all = lasting.map((ms, task) =>
    limit.run(async () => {
      starts.push({ task, at: clock.now() - began })
      most = Math.max(most, ++inFlight)
      await clock.sleep(ms)
      inFlight--
      return task
    }),
  )
  // Who sleeps for nothing still sleeps until time moves: a millisecond more for each.
  const longest = lasting.reduce((sum, ms) => sum + ms + pace.intervalMs + 1, 1)
  await clock.pass(longest)
  return { starts, most, results: await Promise.all(all) }
}

describe('rateLimit', () => {
  scenario('S24', 'at most 3 in flight, their starts at least 100 ms apart', async () => {
    const { starts, most } = await watch({ maxInFlight: 3, intervalMs: 100 }, Array(6).fill(250))

    expect(most).toBe(3)
    expect(starts.map(({ at }) => at)).toEqual([0, 100, 200, 300, 400, 500])
  })

  it('starts a task only when another has ended, though its time has come', async () => {
    const { starts, most } = await watch({ maxInFlight: 2, intervalMs: 10 }, Array(4).fill(100))

    expect(most).toBe(2)
    expect(starts.map(({ at }) => at)).toEqual([0, 10, 100, 110])
  })

  it('keeps order, places and distance whatever the tasks take', async () => {
    const paces = fc.record({
      maxInFlight: fc.integer({ min: 1, max: 4 }),
      intervalMs: fc.integer({ min: 0, max: 15 }),
    })
    const tasks = fc.array(fc.integer({ min: 0, max: 30 }), { maxLength: 8 })
    await fc.assert(
      fc.asyncProperty(paces, tasks, async (pace, lasting) => {
        const { starts, most, results } = await watch(pace, lasting)
        const order = lasting.map((_, task) => task)
        expect(starts.map(({ task }) => task)).toEqual(order)
        expect(results).toEqual(order)
        expect(most).toBeLessThanOrEqual(pace.maxInFlight)
        const gaps = starts.slice(1).map(({ at }, i) => at - (starts[i]?.at ?? 0))
        expect(gaps.every((gap) => gap >= pace.intervalMs)).toBe(true)
      }),
      { numRuns: 50, examples: [[{ maxInFlight: 1, intervalMs: 0 }, [0, 0, 30]]] },
    )
  })

  it('is not jammed by a task that throws, now or later', async () => {
    const limit = rateLimit({ maxInFlight: 1, intervalMs: 100 }, new FakeClock())
    const now = () => {
      throw new Error('at once')
    }
    const later = async () => {
      await Promise.resolve()
      throw new Error('later')
    }

    const all = [limit.run(now), limit.run(later), limit.run(async () => 'fine')]

    expect(await Promise.allSettled(all)).toMatchObject([
      { reason: new Error('at once') },
      { reason: new Error('later') },
      { value: 'fine' },
    ])
  })

  it('waits nothing when the last start is long ago', async () => {
    const clock = new FakeClock()
    const limit = rateLimit({ maxInFlight: 1, intervalMs: 100 }, clock)

    await limit.run(async () => undefined)
    clock.advance(100)
    await limit.run(async () => undefined)

    expect(clock.slept).toEqual([])
  })

  it('looks again when a timer rings early', async () => {
    const clock = new FakeClock()
    let rung = 0
    clock.sleep = async (ms) => clock.advance(rung++ === 0 ? ms - 1 : ms)
    const limit = rateLimit({ maxInFlight: 1, intervalMs: 100 }, clock)
    const began = clock.now()

    await limit.run(async () => undefined)
    const second = await limit.run(async () => clock.now() - began)

    expect(second).toBeGreaterThanOrEqual(100)
  })

  it('does not wait for a clock that was set back an hour', async () => {
    const clock = new FakeClock('2025-01-15T12:00:00Z')
    const limit = rateLimit({ maxInFlight: 1, intervalMs: 100 }, clock)

    await limit.run(async () => undefined)
    clock.advanceTo('2025-01-15T11:00:00Z')
    await limit.run(async () => undefined)

    expect(clock.slept).toEqual([100])
  })

  it('refuses a pace at which nothing would ever run', () => {
    for (const maxInFlight of [0, -1, Number.NaN]) {
      expect(() => rateLimit({ maxInFlight, intervalMs: 1 }, new FakeClock())).toThrow(RangeError)
    }
  })
})

describe('a task that gives up', () => {
  /** Tells whether it was its turn, or only to say that it did not start. */
  const task = (signal: AbortSignal) => async () => (signal.aborted ? 'did not start' : 'started')

  scenario('C08', 'before it asked, or while it waits for a place, is called at once', async () => {
    const clock = new ManualClock()
    const limit = rateLimit({ maxInFlight: 1, intervalMs: 0 }, clock)
    const [late, next] = [new AbortController(), new AbortController()]
    const first = limit.run(() => clock.sleep(1_000))

    const never = await limit.run(task(AbortSignal.abort()), AbortSignal.abort())
    const waiting = limit.run(task(late.signal), late.signal)
    const after = limit.run(task(next.signal), next.signal)
    late.abort()
    const gaveUp = await waiting
    await clock.pass(1_001)

    expect([never, gaveUp]).toEqual(['did not start', 'did not start'])
    expect(await after).toBe('started')
    await first
    // The place that it did not take is still there for one.
    expect(await limit.run(async () => 'next')).toBe('next')
  })

  scenario('C08', 'while it waits for its time does not make the next one wait', async () => {
    const clock = new ManualClock()
    const began = clock.now()
    const limit = rateLimit({ maxInFlight: 3, intervalMs: 100 }, clock)
    const giving = new AbortController()
    const starts: number[] = []
    const start = async () => void starts.push(clock.now() - began)

    const first = limit.run(start)
    const second = limit.run(task(giving.signal), giving.signal)
    const third = limit.run(start)
    await clock.pass(50)
    giving.abort()
    const gaveUp = await second
    await clock.pass(100)
    await Promise.all([first, third])

    expect(gaveUp).toBe('did not start')
    expect(starts).toEqual([0, 100])
    expect(clock.waiting).toBe(0)
  })
})
