import { describe, expect, it } from 'vitest'
import { hours } from '../../../src/core/duration.ts'
import { utcDayOf } from '../../../src/core/utc-day.ts'
import { scenario } from '../../support/scenario.ts'
import { bingError } from '../../support/stand-ins/bing.ts'
import { answers } from '../../support/stand-ins/stand-in.ts'
import { beginBing, pages, SITE, SITE_ID } from './support.ts'

describe("the day's quota", () => {
  scenario('B04', '85 of 100 used leaves 15', async () => {
    const { open, alreadyUsed } = await beginBing()
    await alreadyUsed(85)

    const { desk } = open({ dailyQuota: 100 })

    expect(await desk.quota.remaining()).toBe(15)
  })

  scenario('B04', '30 after 50 are 80, with the time of it', async () => {
    const { clock, submit, used, alreadyUsed } = await beginBing()
    await alreadyUsed(50)
    clock.advance(hours(1))

    await submit({ urls: pages(30) })

    expect(await used()).toEqual({ used: 80, closed: false, lastSpentAt: clock.now() })
  })

  scenario('B04', 'exhausted: skipped with a log line, and no request', async () => {
    const { bing, submit, lines, alreadyUsed } = await beginBing()
    await alreadyUsed(100)

    const { report } = await submit({ urls: [], total: 20 })

    expect(lines.map(({ event, msg }) => [event, msg])).toEqual([
      ['bing.quota_exhausted', 'Bing quota exhausted, skipping'],
    ])
    expect(bing.requests).toEqual([])
    expect(report).toMatchObject({ total: 20, left: 20, failed: 0, stopped: 'quota', errors: [] })
    expect(report.quotaRemaining).toBe(0)
  })

  scenario('B04', 'what is more than the quota is left for tomorrow', async () => {
    const { clock, bing, submit } = await beginBing()

    const today = await submit({ urls: pages(130) })
    clock.advanceTo('2025-01-16T00:00:00Z')
    const tomorrow = await submit({ urls: pages(130).slice(100) })

    expect(today.report).toMatchObject({ successful: 100, left: 30, failed: 0, stopped: 'quota' })
    expect(tomorrow.report).toMatchObject({ successful: 30, quotaUsed: 30, quotaRemaining: 70 })
    expect(bing.overQuota).toEqual([])
  })

  scenario(
    'B04',
    'URLs that were not chosen for want of quota are left, and the report says why',
    async () => {
      const { submit } = await beginBing()

      const { report } = await submit({ urls: pages(100), total: 130 })

      expect(report).toMatchObject({ total: 130, successful: 100, left: 30, stopped: 'quota' })
    },
  )

  scenario('B04', 'a run that crosses midnight spends the day it began', async () => {
    const { clock, open, quota, alreadyUsed } = await beginBing()
    clock.advanceTo('2025-01-15T23:58:00Z')
    await alreadyUsed(90)
    const { desk } = open({ dailyQuota: 100 })

    clock.advanceTo('2025-01-16T00:03:00Z')
    const granted = await desk.quota.spend(30)

    expect(desk.quota.day).toBe('2025-01-15')
    expect(granted).toBe(10)
    expect(await desk.quota.used()).toBe(100)
    expect(await desk.quota.remaining()).toBe(0)
    const today = { channel: 'bing', siteId: SITE_ID, day: utcDayOf(clock.now()) }
    expect((await quota.use(today)).used).toBe(0)
  })

  scenario('B04', 'a submission past midnight is counted on the day its run began', async () => {
    const { clock, bing, submit, used } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 500 }],
    })
    clock.advanceTo('2025-01-15T23:59:59Z')
    bing.script({}, answers(429))

    const { report } = await submit({ urls: pages(150), dailyQuota: 150 })

    expect(utcDayOf(clock.now())).toBe('2025-01-16')
    expect(report).toMatchObject({ successful: 150, quotaUsed: 150 })
    expect((await used()).used).toBe(0)
  })

  scenario(
    'B04',
    'a day that Bing calls full past midnight is full for the next run too',
    async () => {
      const { clock, bing, submit, used } = await beginBing()
      clock.advanceTo('2025-01-15T23:59:30Z')
      bing.script(
        answers(429),
        bingError(2, 'ERROR!!! You have exceeded your daily url submission quota : 100'),
      )

      const { report } = await submit({ urls: pages(10) })

      expect(utcDayOf(clock.now())).toBe('2025-01-16')
      expect(report.stopped).toBe('quota')
      expect(await used()).toMatchObject({ used: 0, closed: true })
    },
  )

  scenario('B04', 'two submitters at 95 of 100 send 5 in all', async () => {
    const { bing, submit, another, used, alreadyUsed } = await beginBing()
    await alreadyUsed(95)
    bing.spendElsewhere(SITE, 95)
    const [one, two] = [await another(), await another()]

    const runs = await Promise.all([
      submit({ urls: pages(5), store: one }),
      submit({ urls: pages(5), store: two }),
    ])

    expect(bing.accepted).toHaveLength(5)
    expect(runs.map(({ report }) => report.successful).sort((a, b) => a - b)).toEqual([0, 5])
    expect((await used()).used).toBe(100)
    expect(bing.overQuota).toEqual([])
  })

  scenario('B04', 'two submitters with many batches never exceed it together', async () => {
    const { bing, submit, another, used } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 333 }],
    })
    const [one, two] = [await another(), await another()]

    await Promise.all([
      submit({ urls: pages(500).slice(0, 250), dailyQuota: 333, store: one }),
      submit({ urls: pages(500).slice(250), dailyQuota: 333, store: two }),
    ])

    expect(bing.accepted).toHaveLength(333)
    expect((await used()).used).toBe(333)
    expect(bing.overQuota).toEqual([])
  })

  scenario('B04', 'where the store is soft, the overrun is recorded and logged', async () => {
    const { bing, submit, quota, lines, alreadyUsed } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 500 }],
    })
    await alreadyUsed(95)
    let others = 5
    const soft = {
      ...quota,
      // Somebody else read 95 at the same time: each adds its own to what it read.
      spend: async (...[account, { wanted, limit }]: Parameters<typeof quota.spend>) => {
        const granted = await quota.spend(account, { wanted, limit })
        await quota.spend(account, { wanted: others, limit: limit + others })
        others = 0
        return granted
      },
    }

    const { report } = await submit({ urls: pages(5), store: soft })

    expect(bing.accepted).toHaveLength(5)
    expect(report).toMatchObject({ quotaUsed: 105, quotaRemaining: 0 })
    expect(lines.at(-1)).toMatchObject({
      level: 'warn',
      event: 'bing.quota_overrun',
      quotaUsed: 105,
      limit: 100,
    })
  })
})

describe('a quota of "auto"', () => {
  it('is what Bing says is left, asked once in a run', async () => {
    const { bing, submit } = await beginBing({ sites: [{ url: SITE, dailyQuota: 120 }] })
    bing.spendElsewhere(SITE, 10)

    const { report } = await submit({ urls: pages(200), dailyQuota: 'auto' })

    const asked = bing.requests.filter(({ target }) => target.includes('GetUrlSubmissionQuota'))
    expect(asked).toHaveLength(1)
    expect(report).toMatchObject({ successful: 110, left: 90, stopped: 'quota', quotaUsed: 110 })
    expect(bing.overQuota).toEqual([])
    expect(bing.complaints).toEqual([])
  })

  it('counts what this day has sent already', async () => {
    const { bing, submit } = await beginBing()

    await submit({ urls: pages(40), dailyQuota: 'auto' })
    const { report } = await submit({ urls: pages(140).slice(40), dailyQuota: 'auto' })

    expect(report).toMatchObject({ successful: 60, left: 40, quotaUsed: 100 })
    expect(bing.overQuota).toEqual([])
  })

  it('comes right when Bing tells the whole and not what is left', async () => {
    const { bing, submit } = await beginBing({ quotaTells: 'all' })

    await submit({ urls: pages(40), dailyQuota: 'auto' })
    const { report } = await submit({ urls: pages(140).slice(40), dailyQuota: 'auto' })

    expect(report).toMatchObject({ successful: 60, failed: 0, left: 40, stopped: 'quota' })
    expect(bing.accepted).toHaveLength(100)
  })

  it('is no more than the month has left', async () => {
    const { bing, submit } = await beginBing({
      sites: [{ url: SITE, dailyQuota: 100, monthlyQuota: 30 }],
    })

    const { report } = await submit({ urls: pages(50), dailyQuota: 'auto' })

    expect(report).toMatchObject({ successful: 30, left: 20, stopped: 'quota' })
    expect(bing.overQuota).toEqual([])
  })

  it('is 100 with a warning when Bing does not tell', async () => {
    const { bing, submit, lines } = await beginBing({ sites: [{ url: SITE, dailyQuota: 500 }] })
    bing.script(answers(500))

    const { report } = await submit({ urls: pages(150), dailyQuota: 'auto' })

    expect(report).toMatchObject({ successful: 100, left: 50, stopped: 'quota' })
    expect(report.warnings).toEqual([expect.stringContaining('so 100 is assumed')])
    expect(lines[0]).toMatchObject({ level: 'warn', event: 'bing.quota_unknown' })
  })

  it('learns from the question that the key is no good, and submits nothing', async () => {
    const { bing, submit } = await beginBing()
    bing.script(bingError(3, 'ERROR!!! InvalidApiKey'))

    const { report } = await submit({ urls: pages(10), dailyQuota: 'auto' })

    expect(bing.requests).toHaveLength(1)
    expect(report).toMatchObject({ left: 10, stopped: 'refused' })
  })

  it('is not asked for while the key rests', async () => {
    const { bing, submit } = await beginBing()
    bing.throttle('user')

    await submit({ urls: pages(10), dailyQuota: 'auto' })
    await submit({ urls: pages(10), dailyQuota: 'auto' })

    expect(bing.requests).toHaveLength(1)
  })
})
