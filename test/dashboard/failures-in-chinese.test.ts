import { describe, expect, it } from 'vitest'
import { ZH } from '../../src/dashboard/words/zh.ts'
import { doubtfulSettings } from '../../src/apps/configuration-problems.ts'
import { readConfig } from '../../src/apps/read-config.ts'
import { whyBroken, whyWithoutSite } from '../../src/apps/worker/give-up-run.ts'
import { days } from '../../src/core/duration.ts'
import { describeHttpFailure, type HttpFailure } from '../../src/core/http.ts'
import { describeUnsealFailure, type UnsealFailure } from '../../src/core/seal.ts'
import { findSilence } from '../../src/submit/alerts/rules.ts'
import { observeRun } from '../../src/submit/alerts/observe.ts'
import { describeBingFailure, type Problem } from '../../src/submit/channels/bing/replies.ts'
import { replyOfAnswer } from '../../src/submit/channels/indexnow/replies.ts'
import { checkStorage } from '../../src/submit/doctor/check-surroundings.ts'
import { toldFailure } from '../../src/submit/doctor/sitemap-failures.ts'
import { readSettings } from '../../src/submit/site-settings.ts'
import { describeFileFailure, type FileFailure } from '../../src/submit/sitemap/failures.ts'
import { engine, factsOf, runOf, SITE } from '../submit/alerts/support.ts'
import { withoutChinese } from '../support/chinese.ts'

const where = 'https://example.com/a'

/** One of each kind: a kind that is missing does not compile. */
type EachKind<T extends { readonly kind: string }> = {
  readonly [K in T['kind']]: Extract<T, { readonly kind: K }>
}

const HTTP: EachKind<HttpFailure> = {
  'invalid-url': { kind: 'invalid-url', where: '[not a URL]' },
  'private-address': { kind: 'private-address', where },
  'timed-out': { kind: 'timed-out', where, afterMs: 30_000 },
  'too-large': { kind: 'too-large', where, maxBytes: 52_428_800 },
  'too-many-redirects': { kind: 'too-many-redirects', where, followed: 5 },
  aborted: { kind: 'aborted', where },
  network: { kind: 'network', where, code: 'ECONNREFUSED' },
}

const FILES: EachKind<FileFailure> = {
  http: { kind: 'http', failure: HTTP.network },
  busy: { kind: 'busy', status: 503 },
  'asked-to-wait': { kind: 'asked-to-wait', status: 429, waitMs: 90_000 },
  status: { kind: 'status', status: 404 },
  'not-encoded': { kind: 'not-encoded' },
  empty: { kind: 'empty' },
  html: { kind: 'html' },
  'not-a-sitemap': { kind: 'not-a-sitemap', found: 'a list of what I ate' },
  broken: { kind: 'broken', problem: '</url> while <loc> is still open', line: 3, column: 7 },
  'gzip-broken': { kind: 'gzip-broken' },
  'too-large': { kind: 'too-large' },
  'too-deep': { kind: 'too-deep' },
  'too-many-files': { kind: 'too-many-files' },
  'foreign-host': { kind: 'foreign-host', host: 'cdn.example.net' },
  'not-a-url': { kind: 'not-a-url', value: 'see you there then' },
  stopped: { kind: 'stopped', by: 'timeMs' },
}

const SEALED: EachKind<UnsealFailure> = {
  'not-sealed': { kind: 'not-sealed' },
  'unknown-algorithm': { kind: 'unknown-algorithm', algorithm: 'rot13' },
  'unknown-key': { kind: 'unknown-key', keyId: 'k0' },
  'does-not-open': { kind: 'does-not-open', keyId: 'k1' },
}

const BING = Object.keys({
  'bad-key': 0,
  'site-not-in-account': 0,
  'quota-used-up': 0,
  'batch-too-big': 0,
  throttled: 0,
  blocked: 0,
  'rate-limited': 0,
  'invalid-url': 0,
  'server-error': 0,
  'no-answer': 0,
  unreachable: 0,
  'wrong-address': 0,
  unexplained: 0,
  aborted: 0,
  'not-sent': 0,
} satisfies Record<Problem, 0>) as readonly Problem[]

/** Where Bing never answered. */
const WITHOUT_ANSWER: ReadonlySet<Problem> = new Set([
  'no-answer',
  'unreachable',
  'wrong-address',
  'aborted',
  'not-sent',
])

describe('every failure is said whole in Chinese', () => {
  it('of a request', () => {
    const told = Object.values(HTTP).map(describeHttpFailure)

    expect(withoutChinese(told)).toEqual([])
  })

  it('of a sitemap file, by a run and by the doctor', () => {
    const failures: readonly FileFailure[] = [
      ...Object.values(FILES),
      ...Object.values(HTTP).map((failure) => ({ kind: 'http', failure }) as const),
      ...[401, 403, 410, 418].map((status) => ({ kind: 'status', status }) as const),
      ...(['signal', 'subrequests', 'urls'] as const).map(
        (by) => ({ kind: 'stopped', by }) as const,
      ),
      { ...FILES.broken, problem: 'the document ends before </urlset>' },
    ]

    const byRun = failures.map((failure) => `${where}: ${describeFileFailure(failure)}`)
    const byDoctor = failures.map(toldFailure)

    expect(withoutChinese(byRun)).toEqual([])
    expect(
      withoutChinese(byDoctor.map(({ what }) => `The file ${what.replace(/\.$/, '')}.`)),
    ).toEqual([])
    expect(withoutChinese(byDoctor.map(({ fix }) => fix))).toEqual([])
  })

  it('of an engine', () => {
    const context = { engine: where, keyLocation: 'https://example.com/a1b2….txt', now: 0 }
    const says = (status: number, body = '') =>
      replyOfAnswer({ status, retryAfter: null, body }, context).advice ?? ''

    const told = [
      ...[400, 401, 403, 408, 413, 414, 418, 422, 429, 500, 503].map((status) => says(status)),
      says(403, '{"errorCode":"SiteVerificationNotCompleted"}'),
      says(403, '{"errorCode":"UserForbiddedToAccessSite"}'),
    ]

    expect(withoutChinese(told)).toEqual([])
  })

  it('of Bing, whose own words are quoted', () => {
    const told = BING.flatMap((problem) => {
      const silent = { problem, status: 0, errorCode: undefined }
      if (WITHOUT_ANSWER.has(problem)) {
        const messages = [...Object.values(HTTP).map(describeHttpFailure), 'Nothing was sent.']
        return messages.map((message) => describeBingFailure({ ...silent, message }))
      }
      const said = { problem, status: 400, message: 'Something is not as we like it' }
      return [
        describeBingFailure({ ...said, errorCode: '8' }),
        describeBingFailure({ ...said, errorCode: undefined }),
        describeBingFailure({ ...said, errorCode: undefined, message: '' }),
        describeBingFailure({ ...said, errorCode: '8', message: '' }),
        describeBingFailure({ ...said, errorCode: '8', message: 'the answer is not JSON' }),
      ]
    })

    expect(withoutChinese(told)).toEqual([])
  })

  it('of a secret, and of a run that is given up', () => {
    const sealed = Object.values(SEALED)

    const told = [
      ...sealed.map(describeUnsealFailure),
      ...sealed.map((why) =>
        whyWithoutSite({ kind: 'secret-does-not-open', id: 'a', field: 'apiKey', why }),
      ),
      whyWithoutSite({ kind: 'site-missing', id: 'a' }),
      whyBroken(5),
    ]

    expect(withoutChinese(told)).toEqual([])
  })

  it('of settings, also of one that another version stored', () => {
    const read = readSettings({
      id: '--',
      apiKey: 'short',
      webhookUrl: 7,
      cacheTtlDays: 'x',
      was: 1,
    })
    if (read.ok) throw new Error('all of it is wrong')
    const { problems } = read.failure

    expect(problems).toHaveLength(6)
    expect(withoutChinese(problems)).toEqual([])
    expect(ZH.message(problems.at(-1) ?? '')).toContain(
      '站点没有 "was" 这个字段。请去掉。可用的字段：id、name、sitemapUrl、',
    )
  })

  it('in an alert', () => {
    const now = Date.parse('2025-01-15T00:00:00Z')
    const failed = runOf({
      status: 'failed',
      total: 0,
      engines: [engine({ successful: 5, pending: 5, failed: 5 })],
      errors: [`${where}: ${describeFileFailure(FILES.html)}`],
    })
    const refused = describeBingFailure({
      problem: 'bad-key',
      status: 400,
      errorCode: '3',
      message: 'ERROR!!! InvalidApiKey',
    })
    const facts = { run: failed, earlier: [failed, failed], bingKey: { refused } }
    const silence = (runs: readonly (typeof failed)[]) =>
      findSilence({ site: { ...SITE, enabled: true }, createdAt: now - days(9), runs, now })

    const raised = observeRun(factsOf(facts)).flatMap(({ wrong }) => wrong ?? [])
    const silent = [silence([]), silence([failed])].flatMap((found) =>
      typeof found === 'object' ? found.wrong : [],
    )

    const told = [...raised, ...silent]
    expect(told).toHaveLength(6)
    expect(
      withoutChinese(told.flatMap(({ title, cause, advice }) => [title, cause, advice])),
    ).toEqual([])
  })

  it('of this machine', () => {
    const usual = { where: '/data', state: 'present' } as const
    const env = { SITE_HOST: 'example.com', COLLECT_PLATFORM: 'xhs', SLUICE_NONSENSE: '1' }
    const read = readConfig(env, { version: '0.0.0', isTerminal: false })
    if (!read.ok) throw new Error('nothing in it is wrong')

    const found = [
      {
        ...usual,
        unwritable: 'EROFS',
        unreadable: 'file is not a database',
        damage: ['row 1 is out'],
      },
      { ...usual, schema: { found: 9, newest: 2 }, freeBytes: 1_000 },
      { ...usual, schema: { found: 1, newest: 2 }, damage: [], bytes: 5_000_000 },
      { ...usual, damage: [], bytes: 5_000_000, freeBytes: 5_000_000_000 },
      { ...usual, state: 'absent' as const },
      usual,
    ].flatMap(checkStorage)
    const doubtful = doubtfulSettings(read.value.warnings)

    expect(doubtful).toHaveLength(3)
    const told = [...found, ...doubtful].flatMap(({ message, fix = [] }) => [message, fix].flat())
    expect(withoutChinese(told)).toEqual([])
  })
})
