import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../../src/core/duration.ts'
import type { Settled } from '../../../src/submit/channels/channel.ts'
import { scenario } from '../../support/scenario.ts'
import { limitsRate } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, breaks, USUAL } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, ONE_BY_ONE, outcomes, pages, PATIENT } from './support.ts'

describe('a run past its budget', () => {
  scenario('S28', 'stops when its time is up, and leaves the rest as it is', async () => {
    const { engine, submit } = await beginIndexNow()

    const { report, settled } = await submit({
      urls: pages(50),
      rules: ONE_BY_ONE,
      budget: { timeMs: 1_000 },
    })

    // One request every 100 ms: the eleventh would start when the second is over.
    expect(engine.received.size).toBe(10)
    expect(settled.flatMap(({ urls }) => urls)).toEqual(pages(10))
    expect(report).toMatchObject({ successful: 10, failed: 0, left: 40, stopped: 'budget' })
    expect(report.errors).toEqual([])
  })

  scenario('S28', 'stops when its requests are used up', async () => {
    const { engine, submit } = await beginIndexNow()

    const get = await submit({ urls: pages(50), budget: { subrequests: 7 } })
    const post = await submit({ urls: pages(50_000), budget: { subrequests: 2 } })

    expect(engine.requests).toHaveLength(9)
    expect(get.report).toMatchObject({ successful: 7, left: 43, stopped: 'budget' })
    expect(post.report).toMatchObject({ successful: 20_000, left: 30_000, stopped: 'budget' })
    expect(post.read).toBeLessThan(31_000)
  })

  scenario('S28', 'has not stopped early when its last request was its last URL', async () => {
    const { submit } = await beginIndexNow()

    const { report } = await submit({ urls: pages(7), budget: { subrequests: 7 } })

    expect(report).toMatchObject({ successful: 7, left: 0, stopped: undefined })
  })

  scenario('S28', 'begins no wait that is longer than what is left of it', async () => {
    const { engine, clock, submit, retries } = await beginIndexNow()
    engine.script(limitsRate('50'), limitsRate('11'))

    const { report, settled } = await submit({
      urls: pages(10_001),
      budget: { timeMs: minutes(1) },
    })

    expect(clock.slept).toEqual([seconds(50)])
    expect(retries()).toEqual(['retry 1/3'])
    expect(outcomes(settled)).toEqual(['failed 10000 (429)', 'failed 1 (429)'])
    expect(report).toMatchObject({ requests: 2, stopped: 'rate-limited' })
  })

  scenario('S28', 'begins no retry for which it has no request left', async () => {
    const { engine, clock, submit } = await beginIndexNow()
    engine.always(answers(503))

    const { report } = await submit({
      urls: pages(2),
      rules: ONE_BY_ONE,
      budget: { subrequests: 2 },
    })

    expect(engine.requests).toHaveLength(2)
    expect(clock.slept).toEqual([seconds(1)])
    expect(report).toMatchObject({ failed: 1, left: 1, stopped: 'budget' })
  })

  scenario('S28', 'ends in the middle of a search for bad URLs', async () => {
    const urls = pages(400)
    const { submit } = await beginIndexNow({ badUrls: new Map([[urls[399] ?? '', 422]]) })

    const { report, settled } = await submit({ urls, budget: { subrequests: 4 } })

    expect(outcomes(settled)).toEqual(['accepted 200 (200)', 'accepted 100 (200)'])
    expect(report).toMatchObject({ successful: 300, left: 100, stopped: 'budget' })
  })
})

describe('a run that is told to stop', () => {
  scenario('S29', 'leaves what has no answer, and keeps what has one', async () => {
    const { engine, clock, submit } = await beginIndexNow()
    const stop = new AbortController()
    engine.script(USUAL, breaks('hang'))
    void engine
      .arrival()
      .then(() => engine.arrival())
      .then(() => stop.abort())

    const { report, settled } = await submit({
      urls: pages(5),
      rules: ONE_BY_ONE,
      signal: stop.signal,
    })

    expect(outcomes(settled)).toEqual(['accepted 1 (200)'])
    expect(report).toMatchObject({ successful: 1, failed: 0, left: 4, stopped: 'signal' })
    expect(clock.waiting).toBe(0)
  })

  scenario('S29', 'does not wait on: what failed so far has failed', async () => {
    const { engine, submit } = await beginIndexNow()
    const stop = new AbortController()
    engine.always(answers(503))
    void engine.arrival().then(() => stop.abort())

    const { report } = await submit({ urls: pages(10_001), signal: stop.signal })

    expect(engine.requests).toHaveLength(1)
    expect(report).toMatchObject({ successful: 0, stopped: 'signal' })
  })

  scenario('S29', 'leaves the rest alone, though the engine refuses it', async () => {
    const { engine, submit } = await beginIndexNow()
    const stop = new AbortController()
    engine.script(answers(403))

    const { report } = await submit({
      urls: pages(30_000),
      signal: stop.signal,
      settle: async () => stop.abort(),
    })

    expect(report).toMatchObject({ failed: 10_000, left: 20_000, stopped: 'refused' })
  })

  it('sends nothing when it is told so before it began', async () => {
    const { engine, submit } = await beginIndexNow()

    const { report } = await submit({ urls: pages(200), signal: AbortSignal.abort() })

    expect(engine.requests).toEqual([])
    expect(report).toMatchObject({ left: 200, requests: 0, stopped: 'signal' })
  })
})

describe('what was answered', () => {
  scenario('S29', 'is written down before the next batch is sent', async () => {
    const { engine, submit } = await beginIndexNow()
    const requestsWhenWritten: number[] = []
    const settle = async () => {
      await aLittleWhile()
      requestsWhenWritten.push(engine.requests.length)
    }

    await submit({ urls: pages(40_000), settle })

    expect(requestsWhenWritten).toEqual([1, 2, 3, 4])
  })

  scenario(
    'S29',
    'is never more than the requests in flight ahead of what is written',
    async () => {
      const { engine, submit } = await beginIndexNow()
      let written = 0
      const ahead: number[] = []
      const settle = async () => {
        await aLittleWhile()
        ahead.push(engine.requests.length - written++)
      }

      await submit({ urls: pages(60), rules: PATIENT, settle })

      expect(written).toBe(60)
      expect(Math.max(...ahead)).toBeLessThanOrEqual(3)
    },
  )

  scenario('S29', 'stops everything when it cannot be written down', async () => {
    const { engine, submit, flight } = await beginIndexNow()
    const written: string[] = []
    const settle = async ({ urls }: Settled) => {
      await aLittleWhile()
      if (urls.includes('https://example.com/page-10')) throw new Error('the disk is full')
      written.push(...urls)
    }

    const outcome = submit({ urls: pages(90), rules: PATIENT, settle })

    await expect(outcome).rejects.toThrow('the disk is full')
    const sent = engine.requests.length
    expect(sent).toBeLessThanOrEqual(10 + 2)
    expect(flight.now).toBe(0)
    // Whatever else was under way is written when the error arrives, and nothing happens afterwards.
    expect(new Set(written)).toEqual(
      new Set([...engine.received.keys()].filter((url) => url !== 'https://example.com/page-10')),
    )
    await aLittleWhile()
    expect(engine.requests).toHaveLength(sent)
  })

  scenario('S29', 'stops the batches, too, when it cannot be written down', async () => {
    const { engine, submit } = await beginIndexNow()

    const outcome = submit({
      urls: pages(30_000),
      settle: () => Promise.reject(new Error('the disk is full')),
    })

    await expect(outcome).rejects.toThrow('the disk is full')
    expect(engine.requests).toHaveLength(1)
  })

  scenario('S29', 'ends the waits of others when it cannot be written down', async () => {
    const { engine, clock, submit } = await beginIndexNow()
    engine.script(USUAL, ...Array(9).fill(answers(503)))

    const outcome = submit({
      urls: pages(90),
      rules: { ...PATIENT, retryBaseMs: minutes(1) },
      settle: () => Promise.reject(new Error('the disk is full')),
    })

    await expect(outcome).rejects.toThrow('the disk is full')
    expect(engine.requests.length).toBeLessThanOrEqual(5)
    expect(clock.waiting).toBe(0)
  })
})

/** Long enough for a request to be answered by a server on this machine. */
async function aLittleWhile() {
  for (let turn = 0; turn < 20; turn++) await new Promise((next) => setImmediate(next))
}
