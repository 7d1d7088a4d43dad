import { describe, expect, it } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { ManualClock } from '../../support/manual-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { limitsRate } from '../../support/stand-ins/indexnow-engine.ts'
import type { Fault } from '../../support/stand-ins/faults.ts'
import { answers, breaks, USUAL } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, ONE_BY_ONE, outcomes, pages, whilePassing } from './support.ts'

describe('an engine that answers 429', () => {
  scenario('S26', 'is asked again after 60 s', async () => {
    const { engine, clock, submit, retries } = await beginIndexNow()
    engine.script(limitsRate())

    const { report } = await submit({ urls: pages(200) })

    expect(clock.slept).toEqual([seconds(60)])
    expect(retries()).toEqual(['retry 1/3'])
    expect(report).toMatchObject({ successful: 200, requests: 2, errors: [], stopped: undefined })
  })

  scenario('S26', 'is asked again when it says: seconds, a date, or nonsense', async () => {
    const { engine, clock, submit } = await beginIndexNow()
    engine.script(limitsRate('7'), limitsRate('Wed, 15 Jan 2025 00:01:07 GMT'), limitsRate('soon'))

    await submit({ urls: pages(200) })

    expect(clock.slept).toEqual([seconds(7), seconds(60), seconds(60)])
  })

  scenario(
    'S26',
    'gets three waits, then the batch and the rest wait for the next run',
    async () => {
      const { engine, clock, submit, retries } = await beginIndexNow()
      engine.always(limitsRate())

      const { report, settled } = await submit({ urls: pages(10_050) })

      expect(clock.slept).toEqual([seconds(60), seconds(60), seconds(60)])
      expect(retries()).toEqual(['retry 1/3', 'retry 2/3', 'retry 3/3'])
      expect(outcomes(settled)).toEqual(['failed 10000 (429)', 'failed 50 (429)'])
      expect(report).toMatchObject({ requests: 4, stopped: 'rate-limited' })
      expect(report.errors).toEqual([expect.stringContaining('too many requests')])
    },
  )

  scenario('S26', 'is asked for nothing at all before its time', async () => {
    const clock = new ManualClock()
    const { engine, submit, starts, lines } = await beginIndexNow({ clock })
    engine.script(USUAL, USUAL, limitsRate('10'))

    await whilePassing(clock, submit({ urls: pages(20) }))

    const told = Date.parse(lines[0]?.time ?? '')
    expect(starts.filter((at) => at > told && at < told + seconds(10))).toEqual([])
    expect(starts).toHaveLength(21)
  })

  scenario('S27', 'a retry is logged with engine, status, count and wait', async () => {
    const { engine, submit, lines } = await beginIndexNow()
    engine.script(limitsRate('5'), answers(503))

    await submit({ urls: pages(1) })

    const fields = { level: 'warn', event: 'indexnow.retry', engine: engine.endpoint, count: 1 }
    expect(lines.filter(({ event }) => event === 'indexnow.retry')).toMatchObject([
      { ...fields, msg: 'retry 1/3', status: 429, waitMs: 5_000 },
      { ...fields, msg: 'retry 2/3', status: 503, waitMs: 2_000 },
    ])
  })

  it('waits as often as the site allows', async () => {
    const { engine, submit, retries } = await beginIndexNow()
    engine.always(limitsRate())

    await submit({ urls: pages(1), rules: { maxRetries: 1 } })

    expect(retries()).toEqual(['retry 1/1'])
  })
})

describe('an engine that is down', () => {
  it.each([500, 502, 503, 504, 408])(
    'S26 — %i is tried again after 1, 2 and 4 s',
    async (status) => {
      const { engine, clock, submit, retries } = await beginIndexNow()
      engine.always(answers(status))

      const { report, settled } = await submit({ urls: pages(200) })

      expect(clock.slept).toEqual([seconds(1), seconds(2), seconds(4)])
      expect(retries()).toEqual(['retry 1/3', 'retry 2/3', 'retry 3/3'])
      expect(outcomes(settled)).toEqual([`failed 200 (${status})`])
      expect(report).toMatchObject({ requests: 4, errors: [expect.stringContaining(`${status}`)] })
    },
  )

  it.each<[Fault, string]>([
    ['reset', 'ECONNRESET'],
    ['garbage', 'HTTPParserError'],
  ])('S26 — a connection that ends in %s is tried again after 1, 2 and 4 s', async (fault, why) => {
    const { engine, clock, submit } = await beginIndexNow()
    engine.always(breaks(fault))

    const { report, settled } = await submit({ urls: pages(200) })

    expect(clock.slept).toEqual([seconds(1), seconds(2), seconds(4)])
    expect(outcomes(settled)).toEqual(['failed 200 (0)'])
    expect(report.errors).toEqual([expect.stringContaining(why)])
    expect(report.requests).toBe(4)
  })

  scenario('S26', 'one that never answers runs out of time, and is tried again', async () => {
    const { engine, clock, submit, retries } = await beginIndexNow()
    engine.script(breaks('hang'), breaks('hang'))
    void engine
      .arrival()
      .then(() => clock.advance(seconds(30)))
      .then(() => engine.arrival())
      .then(() => clock.advance(seconds(30)))

    const { report } = await submit({ urls: pages(1) })

    expect(retries()).toEqual(['retry 1/3', 'retry 2/3'])
    expect(report).toMatchObject({ successful: 1, requests: 3, averageMs: 20_000 })
    expect(clock.waiting).toBe(0)
  })

  scenario('S26', 'one that nobody listens for is tried again', async () => {
    const { engine, submit } = await beginIndexNow()
    await engine.close()

    const { report } = await submit({ urls: pages(1) })

    expect(report).toMatchObject({ failed: 1, requests: 4 })
    expect(report.errors).toEqual([expect.stringContaining('ECONNREFUSED')])
  })

  scenario('S26', 'comes back: nothing of it is an error', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(answers(500), breaks('reset'), limitsRate('1'))

    const { report } = await submit({ urls: pages(1) })

    expect(report).toMatchObject({ successful: 1, requests: 4, errors: [] })
  })

  scenario('S26', 'fails one batch, not the next', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(...Array(4).fill(answers(503)))

    const { settled } = await submit({ urls: pages(20_001) })

    expect(outcomes(settled)).toEqual([
      'failed 10000 (503)',
      'accepted 10000 (200)',
      'accepted 1 (200)',
    ])
  })

  it('is given up after three batches in a row', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.always(answers(503))

    const { report, settled } = await submit({ urls: pages(50_000) })

    expect(engine.requests).toHaveLength(12)
    expect(outcomes(settled)).toEqual(Array(5).fill('failed 10000 (503)'))
    expect(report.stopped).toBe('unavailable')
  })

  it('is not given up while it answers now and then', async () => {
    const { engine, submit } = await beginIndexNow()
    const down = Array(4).fill(answers(503))
    engine.script(...down, ...down, USUAL, ...down, ...down, USUAL)

    const { report } = await submit({ urls: pages(6), rules: ONE_BY_ONE })

    expect(report).toMatchObject({ successful: 2, failed: 4, stopped: undefined })
  })
})

describe('the numbers of a run', () => {
  scenario('S27', 'a batch logs number, count, engine, status and milliseconds', async () => {
    const { engine, clock, submit, batches } = await beginIndexNow()
    engine.script(answers(503))
    void engine
      .arrival()
      .then(() => engine.arrival())
      .then(() => clock.advance(250))

    const { report } = await submit({ urls: pages(10_001) })

    expect(batches()).toMatchObject([
      { batch: 1, of: 2, count: 10_000, engine: engine.endpoint, status: 200, ms: 250 },
      { batch: 2, of: 2, count: 1, engine: engine.endpoint, status: 200, ms: 0 },
    ])
    expect(report).toMatchObject({
      engine: engine.endpoint,
      total: 10_001,
      successful: 10_001,
      failed: 0,
      requests: 3,
      averageMs: 83,
    })
  })

  scenario('S27', 'a batch of single requests tells how many had which status', async () => {
    const { engine, submit, batches } = await beginIndexNow()
    engine.script(USUAL, answers(422), answers(202), USUAL)

    await submit({ urls: pages(5), rules: ONE_BY_ONE })

    expect(batches()).toMatchObject([{ count: 5, status: { 200: 3, 202: 1, 422: 1 } }])
  })
})
