import { describe, expect, it, onTestFinished } from 'vitest'
import { TREATMENTS } from '../../../src/collect/platforms/failures.ts'
import { numberOf } from '../../../src/collect/platforms/weibo/note-url.ts'
import { Secret } from '../../../src/core/secret.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { scenario } from '../../support/scenario.ts'
import { answers } from '../../support/stand-ins/stand-in.ts'
import { openWeiboStandIn, type WeiboMood, type WeiboNote } from '../../support/stand-ins/weibo.ts'
import { detailAsk, expectNowhere, failureOf, NOW, platforms, valueOf } from './support.ts'

const CANARY = '_2A25canary0K7v9rDV6PUJbkdAKLW'
const ID = '4607741009594608'
const URL = `https://m.weibo.cn/detail/${ID}`
const NOTE: WeiboNote = {
  id: ID,
  text: '今天<a href="/search">#天气#</a> 很好<span class="url-icon"><img alt="[太阳]" src="//h5.sinaimg.cn/m/sun.png"></span><br />undefined &amp; 全文',
  screenName: '天气观察员',
  userId: 1_645_372_340,
  likes: '100万+',
  comments: 42,
  reposts: '1.5万',
  editAt: 'Wed Feb 24 00:00:00 +0800 2021',
  pictures: ['https://wx1.sinaimg.cn/large/one.jpg'],
}

async function begin(notes: readonly WeiboNote[] = [NOTE]) {
  const clock = new FakeClock(NOW)
  const standIn = await openWeiboStandIn({ clock, sessions: [CANARY], notes })
  onTestFinished(() => standIn.close())
  const weibo = platforms({ weiboBaseUrl: standIn.baseUrl }, clock).get('weibo')
  const fetchNote = (changes: { url?: string; noteId?: string; session?: string } = {}) =>
    weibo.detail(
      detailAsk({
        noteId: changes.noteId ?? ID,
        url: changes.url ?? URL,
        cookie: new Secret(`SUB=${changes.session ?? CANARY}; MLOGIN=1`),
      }),
    )
  return { standIn, weibo, fetchNote }
}

describe('a note of weibo', () => {
  it.each(['page', 'json'] as const)('C20, C21 — is what its %s says', async (writes) => {
    const { standIn, fetchNote } = await begin()
    standIn.writes = writes

    const note = valueOf(await fetchNote())

    expect(note).toEqual({
      platform: 'weibo',
      noteId: ID,
      canonicalUrl: URL,
      kind: 'image',
      title: '今天#天气# 很好[太阳]',
      text: '今天#天气# 很好[太阳]\nundefined & 全文',
      tags: ['天气'],
      media: [{ kind: 'image', url: 'https://wx1.sinaimg.cn/large/one.jpg' }],
      author: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), maskedName: '天**' },
      metrics: {
        likes: { value: 1_000_000, raw: '100万+' },
        comments: { value: 42, raw: '42' },
        shares: { value: 15_000, raw: '1.5万' },
      },
      publishedAt: Date.parse('2021-02-23T04:28:47Z'),
      editedAt: Date.parse('2021-02-23T16:00:00Z'),
      crawledAt: Date.parse(NOW),
      adapter: 'weibo-page@1',
    })
    for (const raw of ['天气观察员', '1645372340', CANARY]) expectNowhere(raw, note)
    expect(standIn.complaints).toEqual([])
    expect(standIn.requests).toHaveLength(1)
  })

  it('is whole where it is long, and a video where it has one', async () => {
    const video = 'https://f.video.weibocdn.com/1.mp4'
    const { fetchNote } = await begin([
      { ...NOTE, longText: 'a whole text', video, createdAt: '昨天 12:30' },
    ])

    const note = valueOf(await fetchNote())

    expect(note).toMatchObject({ kind: 'video', text: 'a whole text' })
    expect(note.media.at(-1)).toEqual({ kind: 'video', url: video })
    expect(note.publishedAt).toBe(Date.parse('2025-01-14T04:30:00Z'))
  })

  it('is the same by every address that names it, and no address names its author', async () => {
    const { weibo, fetchNote } = await begin()
    const urls = [
      URL,
      `https://m.weibo.cn/status/${ID}`,
      'https://m.weibo.cn/status/K3fnuEfZK',
      'https://weibo.com/1645372340/K3fnuEfZK?from=feed',
      `https://m.weibo.cn/statuses/show?id=${ID}`,
    ]

    expect(urls.map((url) => weibo.noteIdOf(url))).toEqual(urls.map(() => ID))
    for (const url of urls) expect(valueOf(await fetchNote({ url })).canonicalUrl).toBe(URL)
    expect(numberOf('QdGSDbsQI')).toBe('5232630992732508')
  })
})

describe('what weibo says instead of a note', () => {
  it.each<[WeiboMood, string]>([
    ['418', 'rate-limited'],
    ['432', 'challenged'],
    ['geetest', 'challenged'],
  ])('C20 — %s is told apart, and no cookie is blamed', async (mood, kind) => {
    const { standIn, fetchNote } = await begin()
    standIn.mood = mood

    const failure = failureOf(await fetchNote())

    expect(failure.kind).toBe(kind)
    expect(TREATMENTS[failure.kind]).toMatchObject({ cookieToBlame: false, restsPlatform: true })
  })

  it.each(['redirect', 'json'] as const)(
    'C10 — a login wall (%s) is the fault of the cookie',
    async (wall) => {
      const { standIn, fetchNote } = await begin()
      standIn.wall = wall

      expect(failureOf(await fetchNote({ session: 'expired' })).kind).toBe('cookie-rejected')
    },
  )

  it.each(['page', 'json'] as const)(
    'C20 — a note that is not there is gone (%s)',
    async (writes) => {
      const { standIn, fetchNote } = await begin([])
      standIn.writes = writes

      expect(failureOf(await fetchNote()).kind).toBe('gone')
    },
  )

  it.each([
    ['{"ok":0,"msg":"?"}', 'unreadable'],
    ['{"ok":', 'unreadable'],
    ['<script>var $render_data = [{"status":{"id":"1"}}][0] || {};</script>', 'unreadable'],
    ['<p>nothing</p>', 'unreadable'],
  ])('is told: %s', async (body, kind) => {
    const { standIn, fetchNote } = await begin()
    standIn.script(answers(200, body))

    expect(failureOf(await fetchNote()).kind).toBe(kind)
  })

  scenario(
    'C20',
    'what is no note of weibo is not asked, and searches are not supported',
    async () => {
      const { standIn, weibo, fetchNote } = await begin()

      const foreign = await fetchNote({ url: `https://weibo.com.example.com/detail/${ID}` })
      const profile = await fetchNote({ url: 'https://m.weibo.cn/u/1645372340' })
      const other = await fetchNote({ noteId: '4607741009594609' })
      const search = await weibo.search({
        page: 1,
        limit: 1,
        headers: {},
        signal: new AbortController().signal,
      })

      expect([foreign, profile, other, search].map((result) => failureOf(result).kind)).toEqual([
        'foreign-url',
        'foreign-url',
        'wrong-url',
        'unsupported',
      ])
      expect(standIn.requests).toEqual([])
    },
  )
})
