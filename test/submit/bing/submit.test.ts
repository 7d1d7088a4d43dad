import { describe, expect, it } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { scenario } from '../../support/scenario.ts'
import { bingError } from '../../support/stand-ins/bing.ts'
import { answers, breaks } from '../../support/stand-ins/stand-in.ts'
import { beginBing, CANARY, outcomes, pages, SITE, urlsThatBecame } from './support.ts'

describe('submitting to Bing', () => {
  scenario('B01', '150 URLs are two requests, and 150 of the quota', async () => {
    const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 150 }] })

    const { report, settled } = await submit({ urls: pages(150), dailyQuota: 150 })

    expect(bing.requests.map(({ body }) => JSON.parse(body).urlList.length)).toEqual([100, 50])
    expect(bing.accepted.map(({ url }) => url)).toEqual(pages(150))
    expect(urlsThatBecame('accepted', settled)).toEqual(pages(150))
    expect((await used()).used).toBe(150)
    expect(report).toMatchObject({
      engine: 'bing',
      total: 150,
      successful: 150,
      failed: 0,
      left: 0,
      requests: 2,
      stopped: undefined,
      errors: [],
      quotaUsed: 150,
      quotaRemaining: 0,
    })
    expect(report).not.toHaveProperty('error')
    expect(bing.complaints).toEqual([])
  })

  scenario('B01', 'a batch goes to SubmitUrlbatch with siteUrl and urlList', async () => {
    const { bing, submit } = await beginBing()

    await submit({ urls: pages(2) })

    expect(bing.requests).toMatchObject([
      {
        method: 'POST',
        target: `/webmaster/api.svc/json/SubmitUrlbatch?apikey=${CANARY}`,
        headers: { 'content-type': 'application/json; charset=utf-8', 'user-agent': 'Sluice/test' },
        body: JSON.stringify({ siteUrl: 'https://example.com', urlList: pages(2) }),
      },
    ])
  })

  scenario('B01', 'each batch logs number, count, status and milliseconds', async () => {
    const { submit, lines } = await beginBing({ sites: [{ url: SITE, dailyQuota: 150 }] })

    await submit({ urls: pages(101), dailyQuota: 150 })

    expect(lines.filter(({ event }) => event === 'bing.batch')).toMatchObject([
      { level: 'info', batch: 1, count: 100, status: 200, ms: 0 },
      { level: 'info', batch: 2, count: 1, status: 200, ms: 0 },
    ])
  })

  scenario('B02', 'an error is logged, counts nothing and is not remembered', async () => {
    const { bing, submit, lines, used } = await beginBing()
    bing.script(bingError(8, 'ERROR!!! InvalidParameter'))

    const { report, settled } = await submit({ urls: pages(30) })

    expect(lines.filter(({ level }) => level === 'error')).toMatchObject([
      { event: 'bing.failed', errorCode: '8', message: 'ERROR!!! InvalidParameter', status: 400 },
    ])
    expect((await used()).used).toBe(0)
    expect(outcomes(settled)).toEqual(['failed 30 (400)'])
    expect(report).toMatchObject({ successful: 0, failed: 30, quotaUsed: 0, quotaRemaining: 100 })
    expect(report.error).toContain('ErrorCode 8 "ERROR!!! InvalidParameter"')
  })

  scenario(
    'B02',
    'a batch refused for no known reason does not keep the next from going',
    async () => {
      const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 500 }] })
      bing.script(bingError(16, 'ERROR!!! Deprecated'), {}, bingError(16, 'ERROR!!! Deprecated'))

      const { report, settled } = await submit({ urls: pages(350), dailyQuota: 500 })

      expect(outcomes(settled)).toEqual([
        'failed 100 (400)',
        'accepted 100 (200)',
        'failed 100 (400)',
        'accepted 50 (200)',
      ])
      expect((await used()).used).toBe(150)
      expect(report.stopped).toBeUndefined()
    },
  )

  scenario('B02', 'two such refusals in a row do', async () => {
    const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 500 }] })
    bing.always(bingError(16, 'ERROR!!! Deprecated'))

    const { report } = await submit({ urls: pages(500), dailyQuota: 500 })

    expect(report).toMatchObject({ requests: 2, failed: 200, left: 300, stopped: 'refused' })
    expect((await used()).used).toBe(0)
  })

  it('asks nobody when nothing is due, and says only that no quota is left', async () => {
    const { bing, submit, lines, alreadyUsed } = await beginBing()

    const first = await submit({ urls: [] })
    expect(lines).toEqual([])
    await alreadyUsed(100)
    const second = await submit({ urls: [] })

    expect(lines.map(({ msg }) => msg)).toEqual(['Bing quota exhausted, skipping'])
    for (const { report } of [first, second]) {
      expect(report).toMatchObject({ total: 0, left: 0, requests: 0, stopped: undefined })
    }
    expect(bing.requests).toEqual([])
  })

  it('keeps the pace of the site', async () => {
    const { bing, submit } = await beginBing({ sites: [{ url: SITE, dailyQuota: 500 }] })

    await submit({ urls: pages(400), dailyQuota: 500 })

    expect(bing.leastIntervalMs).toBeGreaterThanOrEqual(100)
    expect(bing.maxInFlight).toBe(1)
  })
})

describe('a run that ends early', () => {
  it('stops before a batch when its budget of requests is used up', async () => {
    const { submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 300 }] })

    const { report } = await submit({
      urls: pages(300),
      dailyQuota: 300,
      budget: { subrequests: 2 },
    })

    expect(report).toMatchObject({ successful: 200, left: 100, stopped: 'budget' })
    expect((await used()).used).toBe(200)
  })

  it('never waits longer than its budget has left', async () => {
    const { bing, clock, submit } = await beginBing()
    bing.always(answers(429, '', { 'retry-after': '120' }))

    const { report, settled } = await submit({ urls: pages(3), budget: { timeMs: seconds(90) } })

    expect(clock.slept).toEqual([])
    expect(report.stopped).toBe('rate-limited')
    expect(outcomes(settled)).toEqual(['failed 3 (429)'])
  })

  it('does not begin a retry for which no request is left', async () => {
    const { bing, submit, used } = await beginBing()
    bing.always(answers(503))

    const { report, settled } = await submit({ urls: pages(3), budget: { subrequests: 2 } })

    expect(bing.requests).toHaveLength(2)
    expect(report).toMatchObject({ requests: 2, stopped: 'unavailable' })
    expect(outcomes(settled)).toEqual(['failed 3 (503)'])
    expect((await used()).used).toBe(3)
  })

  it('gives back what was spent when its time is up before its turn has come', async () => {
    const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 200 }] })

    const { report } = await submit({ urls: pages(200), dailyQuota: 200, budget: { timeMs: 50 } })

    expect(bing.requests).toHaveLength(1)
    expect(report).toMatchObject({ successful: 100, failed: 0, left: 100, stopped: 'budget' })
    expect((await used()).used).toBe(100)
  })

  it('stops at once when told to, and leaves what has no answer for the next', async () => {
    const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 200 }] })
    const stop = new AbortController()
    bing.script({}, breaks('hang'))
    void bing
      .arrival()
      .then(() => bing.arrival())
      .then(() => stop.abort())

    const { report, settled } = await submit({
      urls: pages(200),
      dailyQuota: 200,
      signal: stop.signal,
    })

    expect(outcomes(settled)).toEqual(['accepted 100 (200)'])
    expect(report).toMatchObject({ successful: 100, failed: 0, left: 100, stopped: 'signal' })
    expect((await used()).used).toBe(200)
  })

  it('sends nothing when it is told to stop before it began', async () => {
    const { bing, submit, used } = await beginBing()

    const { report } = await submit({ urls: pages(10), signal: AbortSignal.abort() })

    expect(bing.requests).toEqual([])
    expect(report).toMatchObject({ left: 10, stopped: 'signal' })
    expect(await used()).toEqual({ used: 0, closed: false, lastSpentAt: undefined })
  })

  it('measures what the answers took', async () => {
    const { bing, clock, submit } = await beginBing()
    void bing.arrival().then(() => clock.advance(seconds(2)))

    const { report } = await submit({ urls: pages(1) })

    expect(report.averageMs).toBe(2_000)
  })
})
