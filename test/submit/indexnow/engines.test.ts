import { describe, expect, it } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import { forbids, limitsRate } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, breaks } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, outcomes, pages, PATIENT } from './support.ts'

describe('several engines', () => {
  scenario('S23', 'each gets every URL, and has its own result', async () => {
    const { engine, openEngine, openPace, submit } = await beginIndexNow()
    const [refusing, limiting, broken, pending] = await Promise.all(
      [1, 2, 3, 4].map(() => openEngine()),
    )
    refusing?.always(forbids('InvalidKey'))
    limiting?.always(limitsRate('10'))
    broken?.always(breaks('reset'))
    pending?.always(answers(202))
    const pace = openPace()

    const results = await Promise.all(
      [engine, refusing, limiting, broken, pending].map((to = engine) =>
        submit({ urls: pages(150), to, pace, rules: PATIENT }),
      ),
    )

    expect(results.map(({ settled }) => outcomes(settled))).toEqual([
      ['accepted 150 (200)'],
      ['failed 150 (403)'],
      ['failed 150 (429)'],
      ['failed 150 (0)'],
      ['pending 150 (202)'],
    ])
    expect(results.map(({ report }) => report.engine)).toEqual(
      [engine, refusing, limiting, broken, pending].map((one) => one?.endpoint),
    )
    expect([...engine.received.keys()]).toEqual(pages(150))
  })

  scenario('S23', 'one that hangs costs another time, but no URL', async () => {
    const { clock, engine, openEngine, openPace, submit } = await beginIndexNow()
    const hanging = await openEngine()
    hanging.always(breaks('hang'))
    const pace = openPace()
    const waitFor = async (requests: number) => {
      for (let seen = 0; seen < requests; seen++) await hanging.arrival()
      clock.advance(30_000)
    }
    void waitFor(1)
      .then(() => waitFor(1))
      .then(() => waitFor(1))
      .then(() => waitFor(1))

    const [hung, well] = await Promise.all([
      submit({ urls: pages(150), to: hanging, pace }),
      submit({ urls: pages(30_000), to: engine, pace, rules: PATIENT }),
    ])

    expect(outcomes(hung.settled)).toEqual(['failed 150 (0)'])
    expect(well.report).toMatchObject({ successful: 30_000, requests: 3 })
  })

  scenario('S24', 'together keep the pace of the site: 3 in flight, 100 ms apart', async () => {
    const { engine, openEngine, openPace, submit, starts, flight } = await beginIndexNow()
    const others = await Promise.all([openEngine(), openEngine()])
    const pace = openPace()

    await Promise.all(
      [engine, ...others].map((to) => submit({ urls: pages(30), to, pace, rules: PATIENT })),
    )

    const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0))
    expect(starts).toHaveLength(90)
    expect(Math.min(...gaps)).toBe(100)
    expect(flight.most).toBe(3)
  })

  scenario('S24', 'retries keep the pace, too', async () => {
    const { engine, submit, starts } = await beginIndexNow()
    engine.script(answers(500), answers(500), answers(500))

    await submit({ urls: pages(20), rules: { ...PATIENT, retryBaseMs: 1 } })

    const gaps = starts.slice(1).map((at, i) => at - (starts[i] ?? 0))
    expect(starts).toHaveLength(23)
    expect(Math.min(...gaps)).toBe(100)
  })

  it('a site that wants one request at a time gets it', async () => {
    const { submit, flight } = await beginIndexNow()

    await submit({ urls: pages(20), rules: { maxInFlight: 1 } })

    expect(flight.most).toBe(1)
  })
})
