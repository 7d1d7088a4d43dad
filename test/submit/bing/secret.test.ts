import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { seconds } from '../../../src/core/duration.ts'
import { checkBing } from '../../../src/submit/channels/bing/check.ts'
import type { BingDialect } from '../../support/stand-ins/bing.ts'
import { answers, breaks, type Step } from '../../support/stand-ins/stand-in.ts'
import { beginBing, CANARY, pages, SITE } from './support.ts'

const echoing: Partial<BingDialect> = { echoesKey: true }

/** Everything that goes wrong, with answers that repeat the key wherever they can. */
const MISHAPS: Record<string, Step> = {
  'an unknown error': answers(400, JSON.stringify({ ErrorCode: 9, Message: `bad ${CANARY}` })),
  'a page with the address': answers(500, `<a href="/SubmitUrlbatch?apikey=${CANARY}">retry</a>`),
  'an error code that is the key': answers(400, JSON.stringify({ ErrorCode: CANARY })),
  'a redirect': answers(302, '', { location: `/elsewhere?apikey=${CANARY}` }),
  'a reset': breaks('reset'),
  'no HTTP': breaks('garbage'),
}

describe('the API key', () => {
  for (const [name, step] of Object.entries(MISHAPS)) {
    it(`is not told by ${name}`, async () => {
      const { bing, lines, submit } = await beginBing({ dialect: echoing })
      bing.always(step)

      const { report } = await submit({ urls: pages(3), rules: { maxRetries: 1 } })

      expect(bing.requests[0]?.target).toContain(CANARY)
      expect(report.failed).toBe(3)
      expectNowhere({ lines, report })
    })
  }

  it('is not told by any refusal, nor by what is remembered of it', async () => {
    const { bing, lines, submit, clock } = await beginBing({
      dialect: echoing,
      badUrls: new Set([`${SITE}/page-2`]),
    })
    const reports: unknown[] = []
    const run = async (options: { apiKey?: string; dailyQuota?: 'auto' } = {}) =>
      reports.push(await submit({ urls: pages(3), ...options }))

    await run()
    bing.spendElsewhere(SITE, 97)
    await run()
    bing.spendElsewhere(SITE, 1)
    clock.advance(seconds(1))
    await run({ dailyQuota: 'auto' })
    bing.throttle('host')
    clock.advanceTo('2025-01-16T00:00:00Z')
    bing.throttle('host')
    await run({ dailyQuota: 'auto' })
    await run()

    expect(lines.length).toBeGreaterThan(5)
    expectNowhere({ lines, reports })
  })

  it('is not told by a check', async () => {
    const { bing, lines, open } = await beginBing({ dialect: echoing })
    bing.throttle('user')

    expectNowhere({ lines, check: await checkBing(open({}).desk) })
    expect(bing.requests).toHaveLength(1)
  })

  it('is not in what the channel is made of', async () => {
    const { open } = await beginBing()

    expectNowhere(open({}).desk)
  })
})

function expectNowhere(seen: unknown) {
  expect(JSON.stringify(seen)).not.toContain(CANARY)
  expect(inspect(seen, { depth: 20, showHidden: true })).not.toContain(CANARY)
}
