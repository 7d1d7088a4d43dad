import { describe, expect, it } from 'vitest'
import { hours, seconds } from '../../../src/core/duration.ts'
import { scenario } from '../../support/scenario.ts'
import { bingError } from '../../support/stand-ins/bing.ts'
import { afterEffect, answers, breaks } from '../../support/stand-ins/stand-in.ts'
import { beginBing, outcomes, pages, SITE, urlsThatBecame } from './support.ts'

describe("the seeds' statuses without a body", () => {
  scenario('B03', '400 skips that URL', async () => {
    const { bing, submit, used } = await beginBing()
    bing.script(answers(400), answers(400))

    const { settled } = await submit({ urls: pages(4) })

    expect(urlsThatBecame('accepted', settled)).toEqual(pages(4))
    bing.script(answers(400))
    const alone = await submit({ urls: [`${SITE}/alone`] })
    expect(outcomes(alone.settled)).toEqual(['rejected 1 (400)'])
    expect((await used()).used).toBe(4)
  })

  scenario('B03', '401 switches Bing off', async () => {
    const { bing, submit } = await beginBing()
    bing.script(answers(401))

    await submit({ urls: pages(4) })
    const { report } = await submit({ urls: pages(4) })

    expect(report).toMatchObject({ requests: 0, left: 4, stopped: 'refused' })
  })

  scenario('B03', '403 marks the day full', async () => {
    const { bing, clock, submit, used } = await beginBing()
    bing.script(answers(403))

    const { report } = await submit({ urls: pages(4) })

    expect(report).toMatchObject({ failed: 0, left: 4, stopped: 'quota' })
    expect(await used()).toMatchObject({ used: 0, closed: true })
    clock.advance(hours(24))
    expect((await submit({ urls: pages(4) })).report.successful).toBe(4)
  })

  scenario('B03', '429 waits 60 s, at most 3 times', async () => {
    const { bing, clock, submit, used, lines } = await beginBing()
    bing.always(answers(429))

    const { report, settled } = await submit({ urls: pages(4) })

    expect(clock.slept).toEqual([seconds(60), seconds(60), seconds(60)])
    expect(lines.filter(({ event }) => event === 'bing.retry').map(({ msg }) => msg)).toEqual([
      'retry 1/3',
      'retry 2/3',
      'retry 3/3',
    ])
    expect(report).toMatchObject({ requests: 4, failed: 4, stopped: 'rate-limited' })
    expect(outcomes(settled)).toEqual(['failed 4 (429)'])
    expect((await used()).used).toBe(0)
  })

  scenario('B03', '429 waits as long as Bing says, then goes on', async () => {
    const { bing, clock, submit, used } = await beginBing()
    bing.script(
      answers(429, '', { 'retry-after': '7' }),
      answers(429, '', { 'retry-after': 'Wed, 15 Jan 2025 00:00:20 GMT' }),
    )

    const { report } = await submit({ urls: pages(4) })

    expect(clock.slept).toEqual([seconds(7), seconds(13)])
    expect(report.successful).toBe(4)
    expect((await used()).used).toBe(4)
  })

  scenario('B03', '5xx is tried again 3 times, 1 s, 2 s and 4 s later', async () => {
    const { bing, clock, submit, used } = await beginBing()
    bing.always(answers(503))

    const { report, settled } = await submit({ urls: pages(4) })

    expect(clock.slept).toEqual([seconds(1), seconds(2), seconds(4)])
    expect(report).toMatchObject({ requests: 4, failed: 4, stopped: 'unavailable' })
    expect(outcomes(settled)).toEqual(['failed 4 (503)'])
    expect((await used()).used).toBe(4)
  })

  scenario('B03', 'as often as is configured', async () => {
    const { bing, submit } = await beginBing()
    bing.always(answers(500))

    const { report } = await submit({ urls: pages(4), rules: { maxRetries: 1 } })

    expect(report.requests).toBe(2)
  })
})

describe('whether it was counted is not known', () => {
  scenario('B03', 'a batch that succeeds at the second try is spent once', async () => {
    const { bing, submit, used } = await beginBing()
    bing.script(answers(500))

    const { settled } = await submit({ urls: pages(60) })

    expect(outcomes(settled)).toEqual(['accepted 60 (200)'])
    expect((await used()).used).toBe(60)
  })

  scenario('B03', 'a time-out stays spent', async () => {
    const { bing, clock, submit, used } = await beginBing()
    bing.script(afterEffect(breaks('hang')))
    void bing.arrival().then(() => clock.advance(seconds(30)))

    const { report, settled } = await submit({ urls: pages(60), rules: { maxRetries: 0 } })

    expect(report).toMatchObject({ failed: 60, stopped: 'unavailable', quotaUsed: 60 })
    expect(outcomes(settled)).toEqual(['failed 60 (0)'])
    expect(report.error).toContain('did not finish within 30000 ms')
    expect((await used()).used).toBe(bing.used(SITE))
  })

  scenario(
    'B03',
    'what Bing counted twice it refuses later, and says how much is left',
    async () => {
      const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 150 }] })
      bing.script(afterEffect(answers(500)))

      const { report, settled } = await submit({ urls: pages(100), dailyQuota: 150 })

      expect(bing.used(SITE)).toBe(150)
      expect(outcomes(settled)).toEqual(['accepted 50 (200)'])
      expect(report).toMatchObject({
        successful: 50,
        left: 50,
        stopped: 'quota',
        quotaRemaining: 0,
      })
      expect(await used()).toMatchObject({ used: 100, closed: true })
    },
  )

  scenario('B03', 'a certain refusal after an unknown try gives nothing back', async () => {
    const { bing, submit, used } = await beginBing({ badUrls: new Set([`${SITE}/page-1`]) })
    bing.script(answers(500), {}, bingError(8, 'ERROR!!! InvalidParameter'))

    const { settled } = await submit({ urls: pages(10) })

    expect(outcomes(settled)).toEqual(['rejected 1 (400)', 'failed 9 (400)'])
    expect((await used()).used).toBe(10)
  })

  for (const fault of ['reset', 'garbage', 'wrong-length', 'drip'] as const) {
    scenario('B03', `${fault}: spent, failed, sent again by the next run`, async () => {
      const { bing, submit, used } = await beginBing({ sites: [{ url: SITE, dailyQuota: 500 }] })
      bing.always(breaks(fault))

      const first = await submit({
        urls: pages(20),
        rules: { maxRetries: 1, requestTimeoutMs: seconds(5) },
      })
      bing.always()
      const second = await submit({ urls: pages(20) })

      expect(outcomes(first.settled)).toMatchObject([expect.stringMatching(/^failed 20/)])
      expect(first.report).toMatchObject({ requests: 2, stopped: 'unavailable', quotaUsed: 20 })
      expect(second.report).toMatchObject({ successful: 20, quotaUsed: 40 })
      expect((await used()).used).toBe(40)
    })
  }

  it('a page of HTML with status 200 is no success', async () => {
    const { bing, submit } = await beginBing()
    bing.script(answers(200, '<html>Sign in to the airport Wi-Fi</html>'))

    const { report } = await submit({ urls: pages(5), rules: { maxRetries: 0 } })

    expect(report).toMatchObject({ successful: 0, failed: 5, quotaUsed: 5 })
  })

  it('an empty 200 is one, as is an ErrorCode of 0', async () => {
    const { bing, submit } = await beginBing()
    bing.script(answers(200), answers(200, '{"d":{"ErrorCode":0,"Message":"Success"}}'))

    expect((await submit({ urls: pages(5) })).report.successful).toBe(5)
    expect((await submit({ urls: pages(5) })).report.successful).toBe(5)
  })

  it('where nobody listens nothing was counted', async () => {
    const { bing, submit, used } = await beginBing()
    await bing.close()

    const { report } = await submit({ urls: pages(5) })

    expect(report).toMatchObject({ failed: 5, stopped: 'unavailable', quotaUsed: 0 })
    expect(report.error).toContain('ECONNREFUSED')
    expect((await used()).used).toBe(0)
  })
})

describe('odd answers', () => {
  it('believes the words of ErrorCode 2, as docs/spec.md has them', async () => {
    const { bing, submit } = await beginBing()
    bing.script(bingError(2, 'ERROR_INVALID_API_KEY'))

    const { report } = await submit({ urls: pages(4) })

    expect(report.error).toContain('the API key is not valid')
  })

  it('knows an error code by its name', async () => {
    const { bing, submit } = await beginBing()
    bing.script(bingError('ThrottleUser', ''))

    expect((await submit({ urls: pages(4) })).report.stopped).toBe('rate-limited')
  })

  it('ends when Bing names more than was sent as what is left', async () => {
    const { bing, submit, used } = await beginBing()
    bing.always(bingError(2, 'ERROR!!! Quota remaining for today: 99, Submitted: 3'))

    const { report } = await submit({ urls: pages(3) })

    expect(report).toMatchObject({ requests: 3, left: 3, stopped: 'quota' })
    expect(await used()).toMatchObject({ used: 0, closed: true })
  })

  it('gives up the search when everything seems invalid', async () => {
    const { bing, submit, used } = await beginBing()
    bing.always(answers(400))

    const { report, settled } = await submit({ urls: pages(100) })

    expect(report.requests).toBeLessThanOrEqual(42)
    expect(urlsThatBecame('failed', settled).length).toBeGreaterThan(60)
    expect((await used()).used).toBe(0)
  })

  it('gives back the half that is not sent any more when the search ends early', async () => {
    const { bing, submit, used } = await beginBing({
      dialect: { namesUrls: false },
      badUrls: new Set([`${SITE}/page-1`]),
    })
    bing.script({}, bingError(3, 'ERROR!!! InvalidApiKey'))

    const { report } = await submit({ urls: pages(10) })

    expect(report).toMatchObject({ requests: 2, failed: 5, left: 5, stopped: 'refused' })
    expect((await used()).used).toBe(0)
  })

  it('counts a month that is over as the end of the day', async () => {
    const { submit, used } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 100, monthlyQuota: 0 }],
    })

    expect((await submit({ urls: pages(3) })).report.stopped).toBe('quota')
    expect(await used()).toMatchObject({ used: 0, closed: true })
  })

  it('is not led by a redirect', async () => {
    const { bing, submit, used } = await beginBing()
    bing.script(answers(302, '', { location: `${bing.apiUrl}/SubmitUrlbatch` }))

    const { report } = await submit({ urls: pages(3) })

    expect(report).toMatchObject({ requests: 1, failed: 3 })
    expect((await used()).used).toBe(0)
  })
})

describe('a site that was missing', () => {
  it('is sent for again once the account lists it, with the same key', async () => {
    const { bing, submit } = await beginBing()
    bing.script(bingError(14, 'ERROR!!! NotAuthorized'))

    await submit({ urls: pages(3) })
    const { report } = await submit({ urls: pages(3) })

    expect(report.successful).toBe(3)
    expect(bing.requests.map(({ target }) => target.split(/[/?]/)[4])).toEqual([
      'SubmitUrlbatch',
      'GetUserSites',
      'SubmitUrlbatch',
    ])
  })
})
