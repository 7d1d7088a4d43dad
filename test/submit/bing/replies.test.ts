import { describe, expect, it } from 'vitest'
import { hours, minutes, seconds } from '../../../src/core/duration.ts'
import { scenario } from '../../support/scenario.ts'
import { type BingDialect, bingError } from '../../support/stand-ins/bing.ts'
import { afterEffect, answers, breaks } from '../../support/stand-ins/stand-in.ts'
import { beginBing, outcomes, pages, SITE, urlsThatBecame } from './support.ts'

/** The same errors in every wording that was seen, and in the seeds'. */
const DIALECTS: Record<string, Partial<BingDialect>> = {
  'HTTP 400 and ErrorCode': {},
  'HTTP 200 and ErrorCode': { status: 200 },
  'ErrorCode as a string': { errorCode: 'string' },
  'wrapped in d': { wrappedInD: true },
  'HTTP 200, a string, wrapped in d': { status: 200, errorCode: 'string', wrappedInD: true },
  "the seeds' HTTP status and ErrorCode": { status: 'seed' },
  "the seeds' HTTP status, only a message": { status: 'seed', errorCode: 'none' },
}

for (const [wording, dialect] of Object.entries(DIALECTS)) {
  describe(`Bing's answers: ${wording}`, () => {
    scenario('B03', 'a bad key switches Bing off until it changes', async () => {
      const { clock, bing, submit, used, lines } = await beginBing({ dialect })

      const first = await submit({ urls: pages(5), apiKey: 'not-the-key-1234' })
      clock.advance(hours(1_000))
      const second = await submit({ urls: pages(5), apiKey: 'not-the-key-1234' })
      const changed = await submit({ urls: pages(5) })

      expect(outcomes(first.settled)).toMatchObject([expect.stringMatching(/^failed 5/)])
      expect(first.report).toMatchObject({ failed: 5, stopped: 'refused', quotaUsed: 0 })
      expect(first.report.error).toContain('the API key is not valid')
      expect(lines.filter(({ event }) => event === 'bing.failed')).toMatchObject([
        { message: 'ERROR!!! InvalidApiKey' },
      ])
      expect(second.report).toMatchObject({ requests: 0, left: 5, stopped: 'refused' })
      expect(second.report.error).toContain('Bing is switched off')
      expect(changed.report.successful).toBe(5)
      expect(bing.requests).toHaveLength(2)
      expect((await used()).used).toBe(5)
    })

    scenario(
      'B03',
      'a site that is not in the account is off, and other sites are not',
      async () => {
        const { bing, submit, used } = await beginBing({ dialect })
        const missing = { urls: pages(5, 'https://other.com'), site: 'https://other.com' }

        const first = await submit({ ...missing, siteId: 'other.com' })
        const second = await submit({ ...missing, siteId: 'other.com' })
        const other = await submit({ urls: pages(5) })

        expect(first.report).toMatchObject({ failed: 5, stopped: 'refused' })
        expect(first.report.error).toContain('the site is not in the account')
        expect(second.report).toMatchObject({ requests: 0, left: 5, stopped: 'refused' })
        expect(other.report.successful).toBe(5)
        expect(submissions(bing)).toHaveLength(2)
        expect((await used('other.com')).used).toBe(0)
      },
    )

    scenario('B03', 'a used up quota is a normal end of the day', async () => {
      const { bing, submit, used, lines } = await beginBing({ dialect })
      bing.spendElsewhere(SITE, 100)

      const first = await submit({ urls: pages(5) })
      const second = await submit({ urls: pages(5) })

      expect(first.settled).toEqual([])
      expect(first.report).toMatchObject({ failed: 0, left: 5, stopped: 'quota', errors: [] })
      expect(await used()).toMatchObject({ used: 0, closed: true })
      expect(lines.find(({ event }) => event === 'bing.quota_exhausted')).toMatchObject({
        msg: 'Bing quota exhausted, skipping',
        message: 'ERROR!!! You have exceeded your daily url submission quota : 100',
      })
      expect(second.report).toMatchObject({ requests: 0, left: 5, quotaRemaining: 0 })
    })

    scenario('B03', 'a batch too big is sent again at the size Bing names', async () => {
      const { bing, submit, used } = await beginBing({ dialect })
      bing.spendElsewhere(SITE, 90)

      const { report, settled } = await submit({ urls: pages(32) })

      expect(bing.overQuota).toEqual([32])
      expect(bing.accepted.map(({ url }) => url)).toEqual(pages(10))
      expect(outcomes(settled)).toEqual(['accepted 10 (200)'])
      expect(report).toMatchObject({ successful: 10, failed: 0, left: 22, stopped: 'quota' })
      expect(await used()).toMatchObject({ used: 10, closed: true })
      expect(report.quotaRemaining).toBe(0)
    })

    scenario('B03', 'a throttled account rests, every site of it, for over an hour', async () => {
      for (const by of ['user', 'host'] as const) {
        const { clock, bing, submit, used } = await beginBing({
          dialect,
          sites: [
            { url: SITE, dailyQuota: 100 },
            { url: 'https://other.com', dailyQuota: 100 },
          ],
        })
        bing.throttle(by)

        const first = await submit({ urls: pages(5) })
        const sister = await submit({
          urls: pages(5, 'https://other.com'),
          site: 'https://other.com',
          siteId: 'other.com',
        })
        clock.advance(minutes(61))
        const tooSoon = await submit({ urls: pages(5) })
        clock.advance(minutes(15))
        const later = await submit({ urls: pages(5) })

        expect(first.report).toMatchObject({ failed: 5, stopped: 'rate-limited', quotaUsed: 0 })
        expect(sister.report).toMatchObject({ requests: 0, left: 5, stopped: 'rate-limited' })
        expect(sister.report.warnings).toEqual([
          expect.stringMatching(/left alone until 2025-01-15T01:15:00/),
        ])
        expect(tooSoon.report.requests).toBe(0)
        expect(later.report.successful).toBe(5)
        expect(bing.callsWhileThrottled).toHaveLength(1)
        expect((await used()).used).toBe(5)
      }
    })

    scenario('B03', 'an invalid URL is skipped, the rest is kept', async () => {
      const bad = [`${SITE}/page-3`, `${SITE}/page-70`]
      const { bing, submit, used } = await beginBing({ dialect, badUrls: new Set(bad) })

      const { report, settled } = await submit({ urls: pages(100) })

      expect(urlsThatBecame('rejected', settled)).toEqual(bad)
      expect(bing.accepted.map(({ url }) => url)).toEqual(
        pages(100).filter((url) => !bad.includes(url)),
      )
      expect(report).toMatchObject({ successful: 98, failed: 2, requests: 2, stopped: undefined })
      expect((await used()).used).toBe(98)
    })

    scenario('B03', 'an invalid URL that is not named is searched for', async () => {
      const bad = [`${SITE}/page-1`, `${SITE}/page-100`]
      const { bing, submit, used } = await beginBing({
        dialect: { ...dialect, namesUrls: false },
        badUrls: new Set(bad),
      })

      const { report, settled } = await submit({ urls: pages(100) })

      expect(urlsThatBecame('rejected', settled)).toEqual(bad)
      expect(bing.accepted).toHaveLength(98)
      expect(report.requests).toBeLessThanOrEqual(28)
      expect((await used()).used).toBe(98)
    })
  })
}

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

function submissions({ requests }: { requests: readonly { target: string }[] }) {
  return requests.filter(({ target }) => target.includes('SubmitUrlbatch'))
}
