import { describe, expect, it, onTestFinished } from 'vitest'
import { wireNote } from '../../../src/collect/note.ts'
import { describePlatformFailure, TREATMENTS } from '../../../src/collect/platforms/failures.ts'
import { Secret } from '../../../src/core/secret.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { serve } from '../../support/local-server.ts'
import { scenario } from '../../support/scenario.ts'
import { answers, breaks } from '../../support/stand-ins/stand-in.ts'
import { openXhsStandIn, type XhsMood, type XhsNote } from '../../support/stand-ins/xhs.ts'
import { detailAsk, expectNowhere, failureOf, NOW, platforms, valueOf } from './support.ts'

// With a slash: the platform writes it otherwise in its scripts.
const CANARY = '040069b8canary/5a7e1f0c9d'
const COOKIE = `a1=18c0ffee; web_session=${CANARY}; xsecappid=xhs-pc-web`
const ID = '65a1b2c3000000001d00aaaa'
const NOTE: XhsNote = {
  noteId: ID,
  token: 'ABtoken+with/odd=characters',
  title: '露营 undefined 指南',
  desc: '值是 undefined 还是 "undefined"？\n{"a":undefined} 第二行 #露营[话题]# #云南[话题]#\nwindow.__INITIAL_STATE__={"note":{}}',
  nickname: '山里的阿宁',
  userId: '5ff0e6410000000001008400',
  liked: '1.2万',
  collected: '3456',
  comments: '10+',
  shared: '赞',
  time: Date.parse('2024-12-01T02:03:04Z'),
  lastUpdateTime: Date.parse('2024-12-05T00:00:00Z'),
  tags: ['露营', '云南', '露营'],
}

async function begin(notes: readonly XhsNote[] = [NOTE], sessions: readonly string[] = [CANARY]) {
  const clock = new FakeClock(NOW)
  const standIn = await openXhsStandIn({ clock, sessions, notes })
  onTestFinished(() => standIn.close())
  const xhs = platforms({ xhsBaseUrl: standIn.baseUrl }, clock).get('xhs')
  const fetchNote = (changes: { url?: string; noteId?: string; cookie?: Secret } = {}) =>
    xhs.detail(
      detailAsk({ noteId: ID, url: standIn.linkTo(ID), cookie: new Secret(COOKIE), ...changes }),
    )
  return { standIn, xhs, fetchNote, clock }
}

describe('a note of xhs', () => {
  scenario(
    'C20, C21',
    'is what its own page says, and the word undefined stays in it',
    async () => {
      const { standIn, fetchNote } = await begin()

      const note = valueOf(await fetchNote())

      expect(note).toEqual({
        platform: 'xhs',
        noteId: ID,
        canonicalUrl: `https://www.xiaohongshu.com/explore/${ID}`,
        kind: 'image',
        title: '露营 undefined 指南',
        text: '值是 undefined 还是 "undefined"？\n{"a":undefined} 第二行 #露营 #云南\nwindow.__INITIAL_STATE__={"note":{}}',
        tags: ['露营', '云南'],
        media: [
          { kind: 'image', url: 'http://sns-webpic-qc.xhscdn.com/1!nd', width: 1080, height: 1440 },
          { kind: 'image', url: 'http://sns-webpic-qc.xhscdn.com/2!nd' },
        ],
        author: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), maskedName: '山**' },
        metrics: {
          likes: { value: 12_000, raw: '1.2万' },
          collects: { value: 3_456, raw: '3456' },
          comments: { value: 10, raw: '10+' },
          shares: { value: undefined, raw: '赞' },
        },
        publishedAt: Date.parse('2024-12-01T02:03:04Z'),
        editedAt: Date.parse('2024-12-05T00:00:00Z'),
        crawledAt: Date.parse(NOW),
        adapter: 'xhs-page@1',
      })
      expect(standIn.complaints).toEqual([])
      expect(standIn.requests).toHaveLength(1)
      expect(standIn.requests[0]?.headers).toMatchObject({ cookie: COOKIE, 'x-request-id': 'r-1' })
    },
  )

  it('C21 — goes to the wire in its words, without its author or a token', async () => {
    const { fetchNote } = await begin()

    const wire = wireNote(valueOf(await fetchNote()))

    expect(wire).toMatchObject({
      note_id: ID,
      author: { masked_name: '山**' },
      metrics: { likes: { value: 12_000, raw: '1.2万' }, shares: { value: null, raw: '赞' } },
      published_at: '2024-12-01T02:03:04.000Z',
      crawled_at: '2025-01-15T04:00:00.000Z',
    })
    for (const raw of [NOTE.nickname, NOTE.userId, NOTE.token, CANARY]) {
      expectNowhere(String(raw), wire)
    }
  })

  it('C21 — of the same author has the same hash, of another another', async () => {
    const others = ['65a1b2c3000000001d00bbbb', '65a1b2c3000000001d00cccc'] as const
    const { standIn, fetchNote } = await begin([
      NOTE,
      { ...NOTE, noteId: others[0], nickname: '改了名字' },
      { ...NOTE, noteId: others[1], userId: '5ff0e6410000000001009999' },
    ])
    const authorOf = async (noteId: string) =>
      valueOf(await fetchNote({ noteId, url: standIn.linkTo(noteId) })).author?.hash

    const [first, renamed, other] = [
      await authorOf(ID),
      await authorOf(others[0]),
      await authorOf(others[1]),
    ]

    expect(renamed).toBe(first)
    expect(other).not.toBe(first)
  })

  it('may be a video', async () => {
    const { fetchNote } = await begin([{ ...NOTE, type: 'video' }])

    const note = valueOf(await fetchNote())

    expect(note.kind).toBe('video')
    expect(note.media.at(-1)).toEqual({
      kind: 'video',
      url: 'http://sns-video-bd.xhscdn.com/stream/1.mp4',
      width: 720,
      height: 1280,
    })
  })
})

describe('what xhs says instead of a note', () => {
  it.each<[XhsMood, object]>([
    ['captcha', { kind: 'challenged' }],
    ['461', { kind: 'challenged', sign: 'HTTP 461' }],
    ['471', { kind: 'challenged', sign: 'HTTP 471' }],
    ['risky-network', { kind: 'challenged' }],
    ['too-often', { kind: 'rate-limited' }],
  ])('C20 — %s is told apart, and no cookie is blamed', async (mood, expected) => {
    const { standIn, fetchNote } = await begin()
    standIn.mood = mood

    const failure = failureOf(await fetchNote())

    expect(failure).toMatchObject(expected)
    expect(TREATMENTS[failure.kind]).toEqual({
      cookieToBlame: false,
      mayPass: true,
      restsPlatform: true,
    })
    expect(standIn.requests).toHaveLength(1)
  })

  it.each(['redirect', 'in-page'] as const)(
    'C10 — a login wall (%s) is the fault of the cookie',
    async (wall) => {
      const { standIn, fetchNote } = await begin([NOTE], ['another session'])
      standIn.wall = wall

      const failure = failureOf(await fetchNote())

      expect(failure.kind).toBe('cookie-rejected')
      expect(TREATMENTS[failure.kind].cookieToBlame).toBe(true)
    },
  )

  it.each(['deleted', 'hidden'] as const)('C20 — a note that is %s is gone', async (state) => {
    const { fetchNote } = await begin([{ ...NOTE, state }])

    expect(failureOf(await fetchNote()).kind).toBe('gone')
  })

  it('C20 — an old token is told, with what to do', async () => {
    const { standIn, fetchNote } = await begin()
    const url = standIn.linkTo(ID).replace(/xsec_token=[^&]+/, 'xsec_token=old')

    const failure = failureOf(await fetchNote({ url }))

    expect(failure).toMatchObject({ kind: 'wrong-url' })
    expect(describePlatformFailure(failure)).toContain('copy the whole link')
  })

  it.each([
    ['a page without a state', answers(200, '<p>hello</p>'), 'unreadable'],
    [
      'a broken state',
      answers(200, '<script>window.__INITIAL_STATE__={"a":</script>'),
      'unreadable',
    ],
    [
      'another note',
      answers(200, '<script>window.__INITIAL_STATE__={"note":{"noteDetailMap":{}}}</script>'),
      'unreadable',
    ],
    ['an error of its server', answers(502), 'platform-down'],
    ['429', answers(429, '', { 'retry-after': '30' }), 'rate-limited'],
    ['a refusal', answers(403), 'refused'],
    ['a page without end', answers(200, 'x'.repeat(5_000_001)), 'too-large'],
    ['no HTTP', breaks('garbage'), 'network'],
    ['a reset', breaks('reset'), 'network'],
    ['a byte a second', { ...answers(200, 'x'.repeat(100)), ...breaks('drip') }, 'timed-out'],
  ])('is told: %s', async (_, step, kind) => {
    const { standIn, fetchNote } = await begin()
    standIn.script(step)

    const failure = failureOf(await fetchNote())

    expect(failure.kind).toBe(kind)
    expectNowhere(CANARY, { failure, said: describePlatformFailure(failure) })
  })
})

describe('what is not asked', () => {
  it.each([
    [
      'a note of another host',
      'https://example.com/explore/65a1b2c3000000001d00aaaa?xsec_token=t',
      'foreign-url',
    ],
    [
      'a look-alike',
      `https://www.xiaohongshu.com.example.com/explore/${ID}?xsec_token=t`,
      'foreign-url',
    ],
    [
      'a profile',
      'https://www.xiaohongshu.com/user/profile/5ff0e6410000000001008400',
      'foreign-url',
    ],
    ['no address', 'explore', 'foreign-url'],
    ['a note without its token', `https://www.xiaohongshu.com/explore/${ID}`, 'wrong-url'],
    [
      'another note',
      'https://www.xiaohongshu.com/explore/65a1b2c3000000001d00ffff?xsec_token=t',
      'wrong-url',
    ],
  ])('C20 — %s', async (_, url, kind) => {
    const { standIn, fetchNote } = await begin()

    expect(failureOf(await fetchNote({ url })).kind).toBe(kind)
    expect(standIn.requests).toEqual([])
  })

  it('C20 — searches need a signature, and are not supported', async () => {
    const { standIn, xhs } = await begin()

    const found = await xhs.search({
      keyword: '露营',
      page: 1,
      limit: 10,
      signal: new AbortController().signal,
      headers: {},
    })

    expect(failureOf(found)).toMatchObject({ kind: 'unsupported', operation: 'search' })
    expect(xhs.can).toEqual({ detail: true, search: false })
    expect(standIn.requests).toEqual([])
  })

  it('anything without a cookie, or with one that no header can carry', async () => {
    const { standIn, xhs, fetchNote } = await begin()

    const without = await xhs.detail(detailAsk({ noteId: ID, url: standIn.linkTo(ID) }))
    const broken = await fetchNote({ cookie: new Secret(`${COOKIE}\r\nx-injected: 1`) })

    expect(failureOf(without)).toEqual({ kind: 'cookie-missing' })
    expect(failureOf(broken).kind).toBe('cookie-rejected')
    expectNowhere(CANARY, broken)
    expect(standIn.requests).toEqual([])
  })

  scenario(
    'C07',
    'a redirect to another host is not followed, and the cookie stays at home',
    async () => {
      const elsewhere = await serve((_, response) => response.end('caught'))
      const { standIn, fetchNote } = await begin()
      for (const path of ['/explore/stolen', '/login', '/website-login/captcha']) {
        standIn.script(answers(302, '', { location: `${elsewhere.origin}${path}?c=1` }))

        const result = await fetchNote()

        expect(result.ok).toBe(false)
        expectNowhere(CANARY, result)
      }
      expect(elsewhere.seen).toEqual([])
    },
  )
})

scenario('C07', 'a page that repeats the cookie does not make it a part of the note', async () => {
  const { fetchNote } = await begin([
    {
      ...NOTE,
      title: COOKIE,
      desc: `session ${CANARY} and ${COOKIE}`,
      tags: [CANARY, encodeURIComponent(CANARY)],
    },
  ])

  const note = valueOf(await fetchNote())

  expectNowhere(CANARY, note)
  expectNowhere(encodeURIComponent(CANARY), note)
  expect(note.text).toContain('***REDACTED***')
})
