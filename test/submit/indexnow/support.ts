import { expect, onTestFinished } from 'vitest'
import { openBudget, type BudgetLimits } from '../../../src/core/budget.ts'
import { minutes, seconds } from '../../../src/core/duration.ts'
import { type HttpClient, httpClient } from '../../../src/core/http.ts'
import { type LogLine, openLog } from '../../../src/core/log.ts'
import { rateLimit, type RateLimit } from '../../../src/core/rate-limit.ts'
import { Secret } from '../../../src/core/secret.ts'
import type {
  ChannelReport,
  Sending,
  SendingRules,
  Settled,
} from '../../../src/submit/channels/channel.ts'
import { submitToEngine } from '../../../src/submit/channels/indexnow/submit.ts'
import type { SubmitMode } from '../../../src/submit/site.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import type { ManualClock } from '../../support/manual-clock.ts'
import {
  type IndexNowEngine,
  type IndexNowEngineOptions,
  openIndexNowEngine,
} from '../../support/stand-ins/indexnow-engine.ts'

export const HOST = 'example.com'
/** Must never be seen anywhere but in a request. */
export const CANARY = 'c4n4ry-of-the-indexnow-key-0123456789'
export const KEY_LOCATION = `https://${HOST}/${CANARY}.txt`

const RULES: SendingRules = {
  requestTimeoutMs: seconds(30),
  maxInFlight: 3,
  maxRetries: 3,
  retryBaseMs: seconds(1),
  rateLimitWaitMs: seconds(60),
}

/** Waits of one request do not let another run out of time: on a fake clock they take no time at all. */
export const PATIENT = { requestTimeoutMs: minutes(60) } as const
/** One after the other: the order of requests is the order of URLs. */
export const ONE_BY_ONE = { maxInFlight: 1 } as const

const CHUNK = 777

export interface RunOptions {
  readonly urls: readonly string[]
  readonly to?: IndexNowEngine
  readonly mode?: SubmitMode
  readonly host?: string
  readonly key?: string
  readonly keyLocation?: string
  readonly pace?: RateLimit
  readonly budget?: BudgetLimits
  readonly signal?: AbortSignal
  readonly rules?: Partial<SendingRules>
  /** Happens before an outcome counts as written. */
  readonly settle?: (settled: Settled) => Promise<void>
}

export interface RunResult {
  readonly report: ChannelReport
  readonly settled: readonly Settled[]
  /** How many URLs were fetched from where they wait. */
  readonly read: number
}

/** A strict engine over real HTTP, and a clock on which nobody waits. */
export async function beginIndexNow<C extends FakeClock = FakeClock>({
  clock = new FakeClock() as C,
  ...options
}: Partial<IndexNowEngineOptions> & { readonly clock?: C } = {}) {
  const lines: LogLine[] = []
  const log = openLog({ clock, level: 'debug', write: (line) => lines.push(line) })
  const starts: number[] = []
  const flight = { now: 0, most: 0 }
  const http = watched(httpClient({ fetch, clock, userAgent: 'Sluice/test', allowPrivate: true }))
  const openEngine = async (own: Partial<IndexNowEngineOptions> = {}) => {
    const opened = await openIndexNowEngine({ clock, ...own })
    onTestFinished(() => opened.close())
    return opened
  }
  const engine = await openEngine(options)

  function watched(plain: HttpClient): HttpClient {
    return {
      async send(request) {
        starts.push(clock.now())
        flight.most = Math.max(flight.most, ++flight.now)
        const sent = await plain.send(request)
        flight.now--
        return sent
      },
    }
  }

  const openPace = () => rateLimit({ maxInFlight: 3, intervalMs: 100 }, clock)

  return {
    clock,
    lines,
    http,
    engine,
    openEngine,
    openPace,
    /** Of requests, as they left: when, and how many were under way at most. */
    starts,
    flight,
    /** `retry 1/3` and the like, in order. */
    retries: () => lines.filter(({ event }) => event === 'indexnow.retry').map(({ msg }) => msg),
    batches: () => lines.filter(({ event }) => event === 'indexnow.batch'),
    /** Sends to one engine, and holds the result to what every one must keep. */
    submit: async (options: RunOptions): Promise<RunResult> => {
      const { urls, to = engine, mode = 'auto', key = CANARY } = options
      const settled: Settled[] = []
      let read = 0
      // As they come from the store: in chunks that have nothing to do with batches.
      function* chunks() {
        for (; read < urls.length; read += CHUNK) yield urls.slice(read, read + CHUNK)
      }
      const sending: Sending = {
        http,
        clock,
        log,
        pace: options.pace ?? openPace(),
        budget: openBudget(options.budget ?? { timeMs: minutes(60) }, clock),
        signal: options.signal ?? new AbortController().signal,
        rules: { ...RULES, ...options.rules },
        settle: async (outcome) => {
          await options.settle?.(outcome)
          settled.push(outcome)
        },
      }
      const report = await submitToEngine(
        {
          engine: to.endpoint,
          host: options.host ?? HOST,
          key: new Secret(key),
          keyLocation: options.keyLocation ?? KEY_LOCATION,
          mode,
          urls: chunks(),
          total: urls.length,
        },
        sending,
      )
      expectPromisesKept({ report, settled, urls })
      expect(JSON.stringify([lines, report])).not.toContain(key)
      expect(to.complaints).toEqual([])
      return { report, settled, read: Math.min(read + CHUNK, urls.length) }
    },
  }
}

interface Kept extends Omit<RunResult, 'read'> {
  readonly urls: readonly string[]
}

/** Every URL is settled once or left, and the numbers say the same. */
function expectPromisesKept({ report, settled, urls }: Kept) {
  const seen = settled.flatMap((outcome) => outcome.urls)
  const { total, successful, pending, failed, left } = report
  expect(new Set(seen).size).toBe(seen.length)
  expect(new Set([...urls, ...seen]).size).toBe(urls.length)
  expect({ total, pending, successful, failed, left }).toEqual({
    total: urls.length,
    pending: urlsThatBecame('pending', settled).length,
    successful: urlsThatBecame('accepted', settled, 'pending').length,
    failed: urlsThatBecame('failed', settled, 'rejected').length,
    left: urls.length - seen.length,
  })
}

/** Lets time go by until it is done: those who wait do wait, and others go on meanwhile. */
export async function whilePassing<T>(clock: ManualClock, outcome: Promise<T>): Promise<T> {
  let isOver = false
  const over = Promise.allSettled([outcome]).then(() => {
    isOver = true
  })
  while (!isOver) await clock.pass(20)
  await over
  return outcome
}

export function pages(count: number): string[] {
  return Array.from({ length: count }, (_, n) => `https://${HOST}/page-${n + 1}`)
}

/** `accepted 100 (200)`: what was settled, in order. */
export function outcomes(settled: readonly Settled[]): string[] {
  return settled.map(({ state, urls, statusCode }) => `${state} ${urls.length} (${statusCode})`)
}

export function urlsThatBecame(
  state: Settled['state'],
  settled: readonly Settled[],
  orState = state,
): string[] {
  return settled
    .filter((outcome) => outcome.state === state || outcome.state === orState)
    .flatMap(({ urls }) => urls)
}
