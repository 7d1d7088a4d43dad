import { describe, expect } from 'vitest'
import { hours, minutes } from '../../../src/core/duration.ts'
import { scenario } from '../../support/scenario.ts'
import type { BingDialect } from '../../support/stand-ins/bing.ts'
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

function submissions({ requests }: { requests: readonly { target: string }[] }) {
  return requests.filter(({ target }) => target.includes('SubmitUrlbatch'))
}
