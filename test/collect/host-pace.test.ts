import { describe, expect, it } from 'vitest'
import { openHostPace } from '../../src/collect/host-pace.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { ok } from '../../src/core/result.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'

const INTERVAL_MS = seconds(5)

function openPace() {
  const clock = new FakeClock()
  const pace = openHostPace({ intervalMs: INTERVAL_MS, clock, random: countingRandom() })
  const { signal } = new AbortController()
  const ask = (host: string, answer = async () => ok(host)) => pace.turn(host, signal, answer)
  return { clock, pace, ask }
}

const hosts = (count: number) => Array.from({ length: count }, (_, n) => `host-${n}.example`)

describe('the pace of hosts', () => {
  scenario('C20', 'each host has a line of its own', async () => {
    const { clock, ask } = openPace()

    await ask('a.example')
    await ask('b.example')
    const before = [...clock.slept]
    await ask('a.example')

    expect(before).toEqual([])
    expect(clock.slept.reduce((sum, ms) => sum + ms, 0)).toBeGreaterThanOrEqual(INTERVAL_MS)
  })

  it('forgets hosts that could be asked at once, however many there were', async () => {
    const { clock, pace, ask } = openPace()

    for (const host of hosts(5_000)) {
      await ask(host)
      clock.advance(INTERVAL_MS)
    }

    expect(pace.remembered()).toBeLessThanOrEqual(1_000)
  })

  it('forgets none that was just asked, rests, or is being asked', async () => {
    const { clock, pace, ask } = openPace()
    const asked = Promise.withResolvers<void>()
    const answer = Promise.withResolvers<void>()
    pace.rest('resting.example', minutes(15))
    const slow = ask('slow.example', async () => {
      asked.resolve()
      await answer.promise
      return ok('slow.example')
    })
    await asked.promise
    clock.advance(2 * INTERVAL_MS)
    for (const host of hosts(999)) await ask(host)

    await ask('one-more.example')
    const resting = await ask('resting.example')

    expect(pace.remembered()).toBe(1_002)
    expect(resting).toMatchObject({ failure: { kind: 'host-resting' } })
    answer.resolve()
    expect(await slow).toEqual(ok('slow.example'))
  })
})
