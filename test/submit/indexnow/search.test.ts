import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import { forbids } from '../../support/stand-ins/indexnow-engine.ts'
import { answers, USUAL } from '../../support/stand-ins/stand-in.ts'
import { beginIndexNow, outcomes, pages, urlsThatBecame } from './support.ts'

const bad = (urls: readonly (string | undefined)[], status: 400 | 422 = 422) =>
  new Map(urls.filter((url) => url !== undefined).map((url) => [url, status]))

/** Halving costs two requests a level for each bad URL, and 10,000 have 14 levels. */
const COST_OF_ONE = 2 * 14

describe('bad URLs in a batch', () => {
  scenario('S26', 'one of 10,000 costs only itself', async () => {
    const urls = pages(10_000)
    for (const at of [0, 4_999, 5_000, 7_777, 9_999]) {
      const { engine, submit } = await beginIndexNow({ badUrls: bad([urls[at]], 400) })

      const { report, settled } = await submit({ urls })

      expect(urlsThatBecame('rejected', settled)).toEqual([urls[at]])
      expect(report).toMatchObject({ successful: 9_999, failed: 1, stopped: undefined })
      expect(engine.received.size).toBe(9_999)
      expect(engine.requests.length).toBeLessThanOrEqual(1 + COST_OF_ONE)
    }
  })

  scenario('S26', 'several, anywhere, cost only themselves', async () => {
    const urls = pages(3_000)
    await fc.assert(
      fc.asyncProperty(
        fc.uniqueArray(fc.nat({ max: urls.length - 1 }), { minLength: 1, maxLength: 12 }),
        async (places) => {
          const wrong = places.map((at) => urls[at])
          const { engine, submit } = await beginIndexNow({ badUrls: bad(wrong) })

          const { settled } = await submit({ urls, mode: 'post' })

          expect(new Set(urlsThatBecame('rejected', settled))).toEqual(new Set(wrong))
          expect(engine.received.size).toBe(urls.length - wrong.length)
          expect([...engine.received.values()].every(({ count }) => count === 1)).toBe(true)
          expect(engine.requests.length).toBeLessThanOrEqual(1 + wrong.length * COST_OF_ONE)
        },
      ),
      { numRuns: 15 },
    )
  })

  scenario('S26', 'a bad batch does not cost the next', async () => {
    const urls = pages(10_002)
    const { submit } = await beginIndexNow({ badUrls: bad([urls[3], urls[10_001]]) })

    const { report } = await submit({ urls })

    expect(report).toMatchObject({ successful: 10_000, failed: 2 })
  })

  scenario('S26', 'a few, and nothing else, are found and sent again next time', async () => {
    const urls = pages(8)
    const { submit } = await beginIndexNow({ badUrls: bad(urls) })

    const { report, settled } = await submit({ urls, mode: 'post' })

    expect(outcomes(settled)).toEqual(Array(8).fill('failed 1 (422)'))
    expect(report).toMatchObject({ requests: 15, stopped: undefined })
  })

  scenario('S26', 'thousands, and nothing else, are taken for a wrong key', async () => {
    const urls = pages(20_000)
    const { engine, submit } = await beginIndexNow({ badUrls: bad(urls) })

    const { report, settled } = await submit({ urls })

    expect(engine.requests.length).toBeLessThanOrEqual(60 + 14)
    expect(urlsThatBecame('rejected', settled)).toEqual([])
    expect(report).toMatchObject({ successful: 0, failed: 20_000, left: 0, stopped: 'refused' })
    expect(report.errors.at(-1)).toContain('rejected every URL')
  })

  scenario('S26', 'the same one by one: they are sent again next time', async () => {
    const urls = pages(150)
    const { engine, submit } = await beginIndexNow({ badUrls: bad(urls) })

    const { report, settled } = await submit({ urls, mode: 'get' })

    expect(engine.requests).toHaveLength(100)
    expect(urlsThatBecame('rejected', settled)).toEqual([])
    expect(report).toMatchObject({ failed: 150, stopped: 'refused' })
  })

  scenario('S26', 'many at the start cost no URL of the other half', async () => {
    const urls = pages(10_000)
    const { engine, submit } = await beginIndexNow({ badUrls: bad(urls.slice(0, 1_000)) })

    const { report, settled } = await submit({ urls })

    expect(engine.requests.length).toBeLessThanOrEqual(60 + 14)
    expect(report.successful).toBeGreaterThanOrEqual(8_750)
    const rejected = urlsThatBecame('rejected', settled)
    expect(rejected.length).toBeGreaterThan(0)
    expect(new Set([...urls.slice(0, 1_000), ...rejected]).size).toBe(1_000)
    expect(report.stopped).toBeUndefined()
  })

  scenario(
    'S26',
    'every other one: the search has an end, and the rest goes first next time',
    async () => {
      const urls = pages(10_000)
      const wrong = urls.filter((_, at) => at % 2 === 1)
      const { engine, submit } = await beginIndexNow({ badUrls: bad(wrong) })

      const { report, settled } = await submit({ urls })

      expect(engine.requests.length).toBeLessThanOrEqual(1_000 + 14)
      expect(urlsThatBecame('rejected', settled).length).toBeGreaterThan(200)
      expect(new Set([...wrong, ...urlsThatBecame('rejected', settled)]).size).toBe(wrong.length)
      expect(report).toMatchObject({ left: 0, stopped: undefined })
    },
  )

  it('says nothing where the engine changed its mind', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(answers(422), USUAL)

    const { report } = await submit({ urls: pages(200) })

    expect(report).toMatchObject({ successful: 200, errors: [] })
  })

  it('ends the search when the engine has had enough', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(answers(422), USUAL, ...Array(4).fill(answers(429)))

    const { report, settled } = await submit({ urls: pages(400) })

    expect(outcomes(settled)).toEqual(['accepted 200 (200)', 'failed 200 (429)'])
    expect(report.stopped).toBe('rate-limited')
  })

  it('gives up all that waits to be searched when the engine refuses us', async () => {
    const { engine, submit } = await beginIndexNow()
    engine.script(answers(422), answers(422), forbids('InvalidKey'))

    const { settled } = await submit({ urls: pages(400) })

    expect(outcomes(settled)).toEqual(['failed 100 (403)', 'failed 300 (403)'])
  })
})
