import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { days, seconds } from '../../src/core/duration.ts'
import { fail, ok, type Result } from '../../src/core/result.ts'
import {
  BACKOFF_5_15_45,
  doubling,
  every,
  retry,
  retryAfterMs,
  type Retryable,
} from '../../src/core/retry.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'

const DOWN: Retryable = { retryable: true }

/** Answers from a list, the last one for ever. */
function answers<T>(...results: Result<T, Retryable>[]) {
  const attempts: number[] = []
  const attempt = async (number: number) => {
    attempts.push(number)
    return results[Math.min(number, results.length - 1)] as Result<T, Retryable>
  }
  return { attempt, attempts }
}

describe('retry', () => {
  scenario('S26', '5xx and network: 1 s, 2 s, 4 s, then the failure is given back', async () => {
    const clock = new FakeClock()
    const { attempt, attempts } = answers(fail(DOWN))

    const result = await retry(attempt, { policy: doubling(seconds(1), 3), clock })

    expect(result).toEqual(fail(DOWN))
    expect(clock.slept).toEqual([1_000, 2_000, 4_000])
    expect(attempts).toEqual([0, 1, 2, 3])
  })

  scenario('S26', '429 waits what Retry-After says instead of 60 s, at most 3 times', async () => {
    const clock = new FakeClock()
    const { attempt } = answers(fail({ retryable: true, retryAfterMs: 7_000 }), fail(DOWN))

    await retry(attempt, { policy: every(seconds(60), 3), clock })

    expect(clock.slept).toEqual([7_000, 60_000, 60_000])
  })

  scenario('S03', 'a failed fetch is retried 3 times, 2 s apart', async () => {
    const clock = new FakeClock()
    await retry(answers(fail(DOWN)).attempt, { policy: every(seconds(2), 3), clock })
    expect(clock.slept).toEqual([2_000, 2_000, 2_000])
  })

  scenario('C13', 'a collect client waits 5 s, 15 s, 45 s', async () => {
    const clock = new FakeClock()
    await retry(answers(fail(DOWN)).attempt, { policy: BACKOFF_5_15_45, clock })
    expect(clock.slept).toEqual([5_000, 15_000, 45_000])
  })

  scenario('S27', 'every retry is told as number of how many', async () => {
    const told: string[] = []
    const { attempt } = answers<string>(fail(DOWN), fail(DOWN), ok('sent'))

    const result = await retry(attempt, {
      policy: doubling(seconds(1), 3),
      clock: new FakeClock(),
      onRetry: ({ number, of, waitMs }) => told.push(`retry ${number}/${of} in ${waitMs} ms`),
    })

    expect(result).toEqual(ok('sent'))
    expect(told).toEqual(['retry 1/3 in 1000 ms', 'retry 2/3 in 2000 ms'])
  })

  it('does not retry what is final', async () => {
    const clock = new FakeClock()
    const { attempt, attempts } = answers(fail({ retryable: false, retryAfterMs: 5_000 }))

    expect(await retry(attempt, { policy: every(1, 3), clock })).toMatchObject({ ok: false })
    expect([attempts, clock.slept]).toEqual([[0], []])
  })

  it('lets the policy depend on the failure', async () => {
    const clock = new FakeClock()
    type Reply = Retryable & { readonly status: number }
    const statuses = [500, 429, 500]
    await retry(async (number) => fail<Reply>({ ...DOWN, status: statuses[number] ?? 400 }), {
      policy: ({ status }) => (status === 429 ? every(seconds(60), 3) : doubling(seconds(1), 3)),
      clock,
    })
    expect(clock.slept).toEqual([1_000, 60_000, 4_000])
  })

  it('waits no time where none is asked for', async () => {
    const clock = new FakeClock()
    await retry(answers(fail({ retryable: true, retryAfterMs: 0 }), ok(1)).attempt, {
      policy: every(seconds(60), 3),
      clock,
    })
    expect(clock.slept).toEqual([0])
  })

  it('gives the last failure back as soon as the signal aborts', async () => {
    const controller = new AbortController()
    const { attempt, attempts } = answers(fail(DOWN))

    const result = await retry(attempt, {
      policy: every(seconds(60), 3),
      clock: new FakeClock(),
      signal: controller.signal,
      onRetry: () => controller.abort(),
    })

    expect(result).toEqual(fail(DOWN))
    expect(attempts).toEqual([0])
  })

  it('neither waits nor tells of a retry once the signal has aborted', async () => {
    const clock = new FakeClock()
    const told: number[] = []
    await retry(answers(fail(DOWN)).attempt, {
      policy: every(1, 3),
      clock,
      signal: AbortSignal.abort(),
      onRetry: ({ number }) => told.push(number),
    })
    expect([clock.slept, told]).toEqual([[], []])
  })

  it('lets a bug through at once', async () => {
    const broken = async () => {
      throw new TypeError('a bug')
    }
    const clock = new FakeClock()
    await expect(retry(broken, { policy: every(1, 3), clock })).rejects.toThrow('a bug')
    expect(clock.slept).toEqual([])
  })
})

describe('Retry-After', () => {
  const now = Date.parse('1994-11-06T08:49:00Z')

  scenario('S26', 'Retry-After is understood in seconds and in every form of an HTTP date', () => {
    expect(retryAfterMs('120', now)).toBe(120_000)
    expect(retryAfterMs('Sun, 06 Nov 1994 08:49:37 GMT', now)).toBe(37_000)
    expect(retryAfterMs('Sunday, 06-Nov-94 08:49:37 GMT', now)).toBe(37_000)
    expect(retryAfterMs('Sun Nov  6 08:49:37 1994', now)).toBe(37_000)
    expect(retryAfterMs('Wed Nov 16 08:49:37 1994', now)).toBe(days(1))
  })

  it.each([
    ['0', 0],
    [' 5 ', 5_000],
    ['0.25', 250],
    ['1.0001', 1_001],
    ['007', 7_000],
    ['Sun, 06 Nov 1994 08:48:37 GMT', 0],
    ['Thu, 01 Jan 1970 00:00:00 GMT', 0],
    ['sun, 06 nov 1994 08:49:37 gmt', 37_000],
  ])('%j is %d ms', (header, ms) => expect(retryAfterMs(header, now)).toBe(ms))

  it.each(['86401', '99999999999999999999', '9'.repeat(400), 'Fri, 31 Dec 9999 23:59:59 GMT'])(
    '%j is a day: longer is never waited',
    (header) => expect(retryAfterMs(header, now)).toBe(days(1)),
  )

  it.each([
    null,
    undefined,
    '',
    ' ',
    '-5',
    '+5',
    '.5',
    '5.',
    '1e3',
    '0x10',
    '5s',
    '5, 10',
    'Infinity',
    'soon',
    'tomorrow 08:49:37',
    'Sun, 06 Nov 1994',
    'Sun, 06 Nov 1994 08:49:37',
    'Sun, 06 Nov 1994 08:49:37 +0800',
    'Sun, 06 Nov 1994 08:49:37 PST',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    'Sun, 06 Nov 1994 25:61:61 GMT',
    '1994-11-06T08:49:37Z',
  ])('%j is as if absent', (header) => expect(retryAfterMs(header, now)).toBeUndefined())

  it('reads every HTTP date as the instant it names, in whatever zone the machine is', () => {
    const instants = fc.integer({ min: 0, max: Math.floor(days(1) / 1_000) })
    fc.assert(
      fc.property(instants, (ahead) => {
        const header = new Date(now + seconds(ahead)).toUTCString()
        expect(retryAfterMs(header, now)).toBe(seconds(ahead))
      }),
    )
  })

  it('takes no text for anything but a wait from 0 to a day', () => {
    fc.assert(
      fc.property(fc.string(), (header) => {
        const ms = retryAfterMs(header, now) ?? 0
        expect(ms >= 0 && ms <= days(1)).toBe(true)
      }),
    )
  })
})
