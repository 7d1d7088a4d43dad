import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { stepAlert } from '../../../src/core/alert.ts'
import { days, hours, minutes } from '../../../src/core/duration.ts'
import {
  observeRun,
  observeSilence,
  recordObservations,
} from '../../../src/submit/alerts/observe.ts'
import {
  type RunFacts,
  SITE_RULE_NAMES,
  siteOfAlert,
  siteRule,
  type SiteRuleName,
} from '../../../src/submit/alerts/rules.ts'
import { scenario } from '../../support/scenario.ts'
import { engine, factsOf, openAlerts, runOf, SITE } from './support.ts'

/** What a run's end says about one rule: a text, `well`, or nothing. */
function says(name: SiteRuleName, changes: Partial<RunFacts>) {
  const seen = observeRun(factsOf(changes)).find(({ rule }) => rule.key === `${name}:${SITE.id}`)
  return seen ? (seen.wrong ?? 'well') : undefined
}

describe('more than 10 % failed', () => {
  scenario('R06', 'an alert names cause, count and advice', () => {
    const run = runOf({
      id: 'run-7',
      engines: [
        engine({ successful: 80, failed: 15 }),
        { ...engine({ successful: 95 }), engine: 'yandex.com' },
      ],
      bing: { total: 10, successful: 0, failed: 10, quotaUsed: 0, quotaRemaining: 100 },
      errors: ['www.bing.com answered 422: https://example.com/a?key=abc is not on the host.'],
    })

    const wrong = says('failed-urls', { run })

    expect(wrong).toEqual({
      title: 'Shop: 12.5 % of the submissions failed',
      cause:
        '25 of 200 submissions failed (15 at www.bing.com, 10 at Bing). www.bing.com answered 422: https://example.com/a?***REDACTED*** is not on the host.',
      advice: expect.stringContaining('GET /api/runs/run-7'),
      count: 25,
    })
  })

  scenario('R06', 'exactly 10 % is not more than 10 %', () => {
    const share = (failed: number, successful: number) =>
      says('failed-urls', { run: runOf({ engines: [engine({ failed, successful })] }) })
    expect(share(1, 9)).toBe('well')
    expect(share(11, 89)).toMatchObject({ count: 11 })
    expect(share(1, 0)).toMatchObject({ title: 'Shop: 100 % of the submissions failed' })
  })

  it('says nothing of a run that came to nothing, and is well when there was nothing to do', () => {
    const nothing = (status: 'succeeded' | 'failed') =>
      says('failed-urls', { run: runOf({ engines: [], status }) })
    expect(nothing('succeeded')).toBe('well')
    expect(nothing('failed')).toBeUndefined()
  })

  it('leaves to the other rule what fails for want of a key', () => {
    const bing = { total: 100, successful: 0, failed: 100, quotaUsed: 0, quotaRemaining: 100 }
    const facts = { run: runOf({ bing }), bingKey: { refused: 'InvalidApiKey' } }
    expect(says('failed-urls', facts)).toBe('well')
    expect(says('bing-key', facts)).toMatchObject({ cause: 'InvalidApiKey' })
  })
})

describe('the other rules of a run', () => {
  scenario('R06', 'a sitemap that was read whole and lists nothing is an alert', () => {
    const empty = runOf({ total: 0, engines: [] })
    expect(says('empty-sitemap', { run: empty })).toMatchObject({
      title: 'Shop: the sitemap is empty',
      cause: expect.stringMatching(
        /^https:\/\/example\.com\/sitemap\.xml\?\*\*\*REDACTED\*\*\* was/,
      ),
    })
    expect(says('empty-sitemap', {})).toBe('well')
    expect(says('empty-sitemap', { run: empty, sitemap: 'broken' })).toBeUndefined()
    expect(says('empty-sitemap', { run: empty, sitemap: 'not-read' })).toBeUndefined()
  })

  scenario('R06', 'a key that stays unverified over three runs is an alert', () => {
    const waiting = runOf({ engines: [engine({ successful: 5, pending: 5 })] })
    const idle = runOf({ engines: [engine({})] })
    const verified = runOf({ engines: [engine({ successful: 5, pending: 1 })] })
    const after = (...runs: (typeof waiting)[]) => {
      const [run = waiting, ...earlier] = runs
      return says('key-unverified', { run, earlier })
    }

    expect(after(waiting, waiting)).toBe('well')
    expect(after(waiting, verified, waiting, waiting)).toBe('well')
    expect(after(waiting, idle, waiting, idle, waiting)).toMatchObject({
      title: 'Shop: the IndexNow key stays unverified',
      count: 5,
    })
    expect(after(verified, waiting, waiting, waiting)).toBe('well')
    expect(after(idle, waiting, waiting, waiting)).toBeUndefined()
  })

  scenario('R06', 'a key that Bing refuses is an alert until it takes one', () => {
    const saysOfKey = (bingKey: RunFacts['bingKey']) => says('bing-key', { bingKey })
    expect(saysOfKey({ refused: 'ErrorCode 3: InvalidApiKey' })).toMatchObject({
      title: 'Shop: Bing refuses the API key',
      advice: expect.stringContaining('example.com is a verified site'),
    })
    expect(saysOfKey('unknown')).toBeUndefined()
    expect(saysOfKey('accepted')).toBe('well')
    expect(saysOfKey('not-used')).toBe('well')
  })
})

describe('no successful run for 48 hours', () => {
  const now = Date.parse('2025-01-20T00:00:00Z')
  const silence = (changes: Partial<Parameters<typeof observeSilence>[0]>) => {
    const facts = { site: SITE, createdAt: now - days(30), runs: [], now, ...changes }
    return observeSilence(facts)[0]?.wrong?.title ?? 'well'
  }
  const ended = (agoMs: number, changes: Parameters<typeof runOf>[0] = {}) =>
    runOf({ startedAt: now - agoMs, finishedAt: now - agoMs, ...changes })

  scenario('R06', 'counted from the last success, or from the site’s beginning', () => {
    expect(silence({ runs: [ended(hours(48))] })).toBe('well')
    expect(silence({ runs: [ended(hours(49))] })).toBe('Shop: no successful run for 49 hours')
    expect(silence({ createdAt: now - hours(47) })).toBe('well')
    expect(silence({ createdAt: now - hours(50) })).toBe('Shop: no successful run for 50 hours')
  })

  scenario('R06', 'failed and interrupted runs do not count, those that did a part do', () => {
    const runs = [
      ended(hours(1), { status: 'failed', errors: ['The sitemap answered 500.'] }),
      ended(hours(25), { status: 'interrupted' }),
      ended(hours(26), { status: 'partial', submitted: 0 }),
      ended(hours(72)),
    ]
    const [seen] = observeSilence({ site: SITE, createdAt: 0, runs, now })
    expect(seen?.wrong).toMatchObject({
      title: 'Shop: no successful run for 72 hours',
      cause:
        'The last success was on 2025-01-17T00:00Z. The last run, of 2025-01-19T23:00Z, ended as failed. The sitemap answered 500.',
    })
    expect(silence({ runs: [ended(hours(1), { status: 'partial', submitted: 9 })] })).toBe('well')
  })

  it('is nothing a site that is switched off is asked for', () => {
    expect(silence({ site: { ...SITE, enabled: false } })).toBe('well')
  })
})

describe('alerts of a site', () => {
  it('name their site in their key', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SITE_RULE_NAMES),
        fc.stringMatching(/^[\w.:-]{1,40}$/),
        (name, id) => {
          expect(siteOfAlert(siteRule(name, id).key)).toBe(id)
        },
      ),
    )
    expect(siteOfAlert('no-active-cookie')).toBeUndefined()
  })

  scenario(
    'R06',
    'an alert is an ERROR line once, a reminder a day, and a line when it is over',
    async () => {
      const { alerts, clock, log, lines } = await openAlerts()
      const end = async (failed: number) => {
        const run = runOf({
          finishedAt: clock.now(),
          engines: [engine({ successful: 10, failed })],
        })
        await recordObservations({ alerts, log }, observeRun(factsOf({ run })))
        return lines.splice(0).map(({ level, event }) => `${level} ${event}`)
      }

      expect(await end(5)).toEqual(['error alert.raised'])
      clock.advance(minutes(30))
      expect(await end(5)).toEqual([])
      clock.advance(hours(23))
      expect(await end(6)).toEqual(['error alert.repeated'])
      clock.advance(hours(24))
      expect(await end(0)).toEqual(['info alert.resolved'])
      expect(await end(0)).toEqual([])
      expect((await alerts.messages(9)).map(({ notice }) => notice)).toEqual([
        'resolved',
        'repeated',
        'raised',
      ])
    },
  )

  it('that are not repeated still tell what is wrong now', async () => {
    const { alerts, clock, log } = await openAlerts()
    for (const failed of [5, 9]) {
      const run = runOf({ finishedAt: clock.now(), engines: [engine({ successful: 10, failed })] })
      await recordObservations({ alerts, log }, observeRun(factsOf({ run })))
      clock.advance(minutes(10))
    }
    expect(await alerts.list()).toMatchObject([{ count: 9, notifications: 1 }])
  })

  it('are never raised by what is merely not known', () => {
    const unknown = observeRun(
      factsOf({
        run: runOf({ status: 'failed', engines: [], total: 0 }),
        sitemap: 'not-read',
        bingKey: 'unknown',
      }),
    )
    expect(unknown).toEqual([])
    expect(
      stepAlert(undefined, { rule: siteRule('bing-key', 'x'), now: 0, wrong: undefined }),
    ).toEqual({ state: undefined })
  })
})
