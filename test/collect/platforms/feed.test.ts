import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readXmlFeed } from '../../../src/collect/platforms/feed/read-xml.ts'
import { scenario } from '../../support/scenario.ts'
import { answers } from '../../support/stand-ins/stand-in.ts'
import {
  detailAsk,
  expectNowhere,
  failureOf,
  NOW,
  platforms,
  searchAsk,
  siteWith,
  valueOf,
} from './support.ts'

const RSS = `<?xml version="1.0" encoding="UTF-8"?>
<!DOCTYPE rss [<!ENTITY x "expanded">]>
<rss version="2.0" xmlns:content="http://purl.org/rss/1.0/modules/content/" xmlns:media="http://search.yahoo.com/mrss/">
<channel><title>The feed</title><link>{origin}/</link>
<item><title>First &amp; foremost</title><link>/p/1?id=1</link><guid isPermaLink="false">1</guid>
<description>short</description><content:encoded><![CDATA[<p>Long <b>text</b></p><p>undefined</p><img src="/one.jpg"><script>no()</script>]]></content:encoded>
<dc:creator>Jane Unmasked</dc:creator><category>tea</category><category>tea</category><pubDate>Sun, 12 Jan 2025 08:00:00 GMT</pubDate>
<media:group><media:title>not the title</media:title><media:content url="/v.mp4" medium="video"/></media:group></item>
<item><title>Second</title><link>https://m.weibo.cn/status/4607741009594608</link><guid>https://weibo.example/2</guid><description>about coffee</description></item>
<item><title>Third</title><link>https://www.xiaohongshu.com/explore/65a1b2c3000000001d00aaaa</link></item>
<item><title>Cut off`

const ATOM = `<feed xmlns="http://www.w3.org/2005/Atom"><title>Atom</title><author><name>The feed's own</name></author>
<entry><id>tag:a.example,2025:1</id><title type="html">&lt;b&gt;Bold&lt;/b&gt; title</title>
<link rel="self" href="/self"/><link href="/p/1"/><link rel="enclosure" type="audio/mpeg" href="/a.mp3"/>
<author><name>Jane Unmasked</name><uri>https://a.example/jane</uri></author><category term="tea"/>
<published>2025-01-12T08:00:00Z</published><updated>2025-01-13T08:00:00Z</updated>
<content type="xhtml"><div xmlns="http://www.w3.org/1999/xhtml"><p>One</p><p>Two</p></div></content></entry></feed>`

const RDF = `<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"><channel><title>c</title></channel>
<item rdf:about="x"><title>Old</title><link>http://a.example/old</link><description>text</description><dc:date>2025-01-12T08:00:00Z</dc:date></item></rdf:RDF>`

const JSON_FEED = JSON.stringify({
  version: 'https://jsonfeed.org/version/1.1',
  items: [
    {
      id: '7',
      url: '/p/7',
      title: 'Seven',
      content_text: 'a < b\nc',
      tags: ['tea'],
      authors: [{ name: 'Jane Unmasked' }],
      date_published: '2025-01-12T08:00:00Z',
    },
  ],
})

async function begin(body: string) {
  const tested = platforms()
  const site = await siteWith({ '/feed': body }, tested.clock)
  const feed = tested.get('feed')
  const search = (changes = {}) =>
    feed.search(searchAsk({ sourceUrl: site.url('/feed'), ...changes }))
  const first = async () => {
    const [found] = valueOf(await search())
    if (!found) throw new Error('nothing found')
    return valueOf(await feed.detail(detailAsk(found)))
  }
  return { site, feed, search, first }
}

describe('a feed', () => {
  scenario('C20', 'lists notes, and those of other platforms as theirs', async () => {
    const { site, search } = await begin(RSS)

    const found = valueOf(await search())

    expect(found).toEqual([
      {
        platform: 'feed',
        noteId: expect.stringMatching(/^[0-9a-f]{16}$/),
        url: `${site.url('/feed')}#note=${found[0]?.noteId}`,
        link: site.url('/p/1?id=1'),
        title: 'First & foremost',
        publishedAt: Date.parse('2025-01-12T08:00:00Z'),
      },
      expect.objectContaining({ platform: 'weibo', noteId: '4607741009594608' }),
      // Without its token nobody can ask xhs for it: what the feed has is all there is.
      expect.objectContaining({ platform: 'feed', title: 'Third' }),
    ])
    expect(site.requests[0]?.headers).toMatchObject({ 'x-request-id': 'r-1' })
  })

  it('C20 — gives what fits a word, page by page', async () => {
    const { search } = await begin(RSS)
    const titles = async (changes: object) =>
      valueOf(await search(changes)).map(({ title }) => title)

    expect(await titles({ keyword: 'COFFEE' })).toEqual(['Second'])
    expect(await titles({ page: 2, limit: 2 })).toEqual(['Third'])
    expect(await titles({ page: 9, limit: 2 })).toEqual([])
  })

  scenario('C21', 'gives each item as a note: RSS 2', async () => {
    const { site, first } = await begin(RSS)

    const note = await first()

    expect(note).toEqual({
      platform: 'feed',
      noteId: expect.any(String),
      canonicalUrl: site.url('/p/1?id=1'),
      kind: 'video',
      title: 'First & foremost',
      text: 'Long text\n\nundefined',
      tags: ['tea'],
      media: [
        { kind: 'video', url: site.url('/v.mp4') },
        { kind: 'image', url: site.url('/one.jpg') },
      ],
      author: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), maskedName: 'J**' },
      metrics: {},
      publishedAt: Date.parse('2025-01-12T08:00:00Z'),
      editedAt: undefined,
      crawledAt: Date.parse(NOW),
      adapter: 'feed@1',
    })
    expectNowhere('Jane', note)
  })

  it('C21 — gives each item as a note: Atom', async () => {
    const { site, first } = await begin(ATOM)

    expect(await first()).toMatchObject({
      canonicalUrl: site.url('/p/1'),
      kind: 'audio',
      title: 'Bold title',
      text: 'One\nTwo',
      tags: ['tea'],
      author: { maskedName: 'J**' },
      publishedAt: Date.parse('2025-01-12T08:00:00Z'),
      editedAt: Date.parse('2025-01-13T08:00:00Z'),
    })
  })

  it('C21 — gives each item as a note: RSS 1 and JSON Feed', async () => {
    const old = await begin(RDF)
    const json = await begin(JSON_FEED)

    expect(await old.first()).toMatchObject({
      title: 'Old',
      text: 'text',
      canonicalUrl: 'http://a.example/old',
    })
    expect(await json.first()).toMatchObject({ title: 'Seven', text: 'a < b\nc', tags: ['tea'] })
  })

  it('knows an item again after it moved down, and says when it is no longer listed', async () => {
    const { site, feed, search } = await begin(RSS)
    const [found] = valueOf(await search())
    const ask = detailAsk({ noteId: found?.noteId ?? '', url: found?.url ?? '' })
    site.put({
      '/feed': RSS.replace('<item>', '<item><title>New</title><guid>0</guid></item><item>'),
    })

    expect(valueOf(await feed.detail(ask)).title).toBe('First & foremost')
    expect(feed.noteIdOf(ask.url)).toBe(ask.noteId)
    site.put({ '/feed': ATOM })
    expect(failureOf(await feed.detail(ask)).kind).toBe('not-found')
  })

  it.each([
    ['a page', answers(200, '<!doctype html><title>x</title>'), 'unreadable'],
    ['other JSON', answers(200, '{"items":[]}'), 'unreadable'],
    ['404', answers(404), 'not-found'],
    ['500', answers(500), 'platform-down'],
  ])('that is none is told: %s', async (_, step, kind) => {
    const { site, search } = await begin(RSS)
    site.script(step)

    expect(failureOf(await search()).kind).toBe(kind)
  })

  it('cannot be searched without its address', async () => {
    const { search } = await begin(RSS)

    expect(failureOf(await search({ sourceUrl: undefined, keyword: 'tea' })).kind).toBe(
      'unsupported',
    )
    expect(failureOf(await search({ sourceUrl: 'feed' })).kind).toBe('foreign-url')
  })

  it('never throws, wherever it is cut off, and gives whole items only', () => {
    const whole = RSS.slice(0, RSS.lastIndexOf('<item>'))
    fc.assert(
      fc.property(fc.nat(whole.length), fc.string(), (end, noise) => {
        const items = readXmlFeed(whole.slice(0, end)) ?? []
        expect(items.length).toBe(whole.slice(0, end).split('</item>').length - 1)
        expect(() => readXmlFeed(whole.slice(0, end) + noise)).not.toThrow()
      }),
    )
  })
})
