import { describe, expect } from 'vitest'
import { checkBing } from '../../../src/submit/channels/bing/check.ts'
import { scenario } from '../../support/scenario.ts'
import { answers } from '../../support/stand-ins/stand-in.ts'
import { beginBing, SITE } from './support.ts'

describe('checking a site at Bing', () => {
  scenario('R09', 'all is well: key, site and quota', async () => {
    const { bing, open } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 100, monthlyQuota: 3_000 }],
    })
    bing.spendElsewhere(SITE, 40)

    expect(await checkBing(open({}).desk)).toEqual({
      key: 'valid',
      site: 'listed',
      quota: { daily: 60, monthly: 2_960 },
      problems: [],
    })
    expect(bing.complaints).toEqual([])
    expect(bing.accepted).toEqual([])
  })

  scenario('R09', 'a bad key', async () => {
    const { open } = await beginBing()

    const check = await checkBing(open({ apiKey: 'not-the-key-1234' }).desk)

    expect(check).toMatchObject({ key: 'invalid', site: 'unknown', quota: undefined })
    expect(check.problems).toEqual([expect.stringContaining('copy it anew')])
  })

  scenario('R09', 'a site that is not in the account, or not verified', async () => {
    const { open } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 100, isVerified: false }],
    })

    const unverified = await checkBing(open({}).desk)
    const missing = await checkBing(open({ site: 'https://other.com', siteId: 'other.com' }).desk)

    expect(unverified).toMatchObject({ key: 'valid', site: 'unverified' })
    expect(unverified.problems).toEqual([expect.stringContaining('is not verified')])
    expect(missing).toMatchObject({ key: 'valid', site: 'missing' })
    expect(missing.problems).toEqual([
      expect.stringContaining('https://other.com is not in the account'),
    ])
  })

  scenario(
    'R09',
    'a throttled account is not called again, nor is one that is down misjudged',
    async () => {
      const { bing, open } = await beginBing()
      bing.script(answers(500))
      expect(await checkBing(open({}).desk)).toMatchObject({ key: 'unknown', site: 'unknown' })

      bing.throttle('user')
      await checkBing(open({}).desk)
      const check = await checkBing(open({}).desk)

      expect(check).toMatchObject({ key: 'unknown', site: 'unknown' })
      expect(check.problems).toEqual([expect.stringContaining('left alone until')])
      expect(bing.callsWhileThrottled).toHaveLength(1)
    },
  )

  scenario('R09', 'a quota that is used up', async () => {
    const { open, alreadyUsed } = await beginBing()
    await alreadyUsed(100)

    const check = await checkBing(open({}).desk)

    expect(check.problems).toEqual([expect.stringContaining('quota is used up')])
  })
})
