import { describe, expect, it } from 'vitest'
import { readPage } from '../../../src/collect/platforms/page/read-page.ts'
import { decodeText } from '../../../src/collect/platforms/text-encoding.ts'
import { hours } from '../../../src/core/duration.ts'
import { Secret } from '../../../src/core/secret.ts'
import { scenario } from '../../support/scenario.ts'
import type { SiteFile } from '../../support/stand-ins/site.ts'
import { answers } from '../../support/stand-ins/stand-in.ts'
import {
  detailAsk,
  expectNowhere,
  failureOf,
  NOW,
  platforms,
  siteWith,
  valueOf,
} from './support.ts'

const HTML = { 'content-type': 'text/html; charset=utf-8' }
const ARTICLE = `<!doctype html><html><head><title>The window title</title>
<link rel="stylesheet" href="/x.css"><link rel="canonical alternate" href="/articles/tea?id=1#top">
<meta property="og:title" content="How to make tea &amp; coffee">
<meta property="og:description" content="In short."><meta property="og:type" content="article">
<meta property="og:image" content="/tea.jpg"><meta property="og:image" content="data:image/png;base64,AA">
<meta property="article:tag" content="tea"><meta name="keywords" content="tea，hot、drinks">
<meta property="article:published_time" content="2024-05-06T07:08:09+08:00">
<script type="application/ld+json">{ broken</script>
<script type="application/ld+json">{"@context":"https://schema.org","@graph":[{"@type":"WebSite","name":"Not this"},
{"@type":["NewsArticle"],"headline":"Tea, in full","articleBody":"Boil water.\\nAdd tea.","author":[{"@type":"Person","name":"Jane Unmasked","url":"https://example.com/jane-profile"}],
"interactionStatistic":[{"@type":"InteractionCounter","interactionType":{"@type":"LikeAction"},"userInteractionCount":"1.2万"},{"interactionType":"https://schema.org/CommentAction","userInteractionCount":7}],
"image":{"@type":"ImageObject","url":"/tea-large.jpg"},"dateModified":"2024-05-07"}]}</script>
</head><body><article><p>Boil</p><p>water.</p></article></body></html>`

/** As servers write it that encode no address: a header is one character for each byte. */
const asBytes = (text: string) => Buffer.from(text).toString('latin1')

async function begin(files: Readonly<Record<string, SiteFile>>) {
  const tested = platforms()
  const site = await siteWith(files, tested.clock)
  const page = tested.get('page')
  const fetchPage = (path: string, cookie?: Secret) =>
    page.detail(detailAsk({ noteId: 'p-1', url: site.url(path), cookie }))
  return { ...tested, site, page, fetchPage }
}

describe('a page', () => {
  scenario('C20, C21', 'is what its JSON-LD and OpenGraph say', async () => {
    const { site, fetchPage } = await begin({ '/a?utm_source=x': { headers: HTML, body: ARTICLE } })

    const note = valueOf(await fetchPage('/a?utm_source=x'))

    expect(note).toEqual({
      platform: 'page',
      noteId: 'p-1',
      canonicalUrl: site.url('/articles/tea?id=1'),
      kind: 'article',
      title: 'Tea, in full',
      text: 'Boil water.\nAdd tea.',
      tags: ['tea', 'hot', 'drinks'],
      media: [
        { kind: 'image', url: site.url('/tea.jpg') },
        { kind: 'image', url: site.url('/tea-large.jpg') },
      ],
      author: { hash: expect.stringMatching(/^[0-9a-f]{64}$/), maskedName: 'J**' },
      metrics: { likes: { value: 12_000, raw: '1.2万' }, comments: { value: 7, raw: '7' } },
      publishedAt: Date.parse('2024-05-05T23:08:09Z'),
      editedAt: Date.parse('2024-05-06T16:00:00Z'),
      crawledAt: Date.parse(NOW),
      adapter: 'page@1',
    })
    expectNowhere('Jane', note)
    expectNowhere('jane-profile', note)
    expect(site.asked()).toEqual(['/robots.txt', '/a?utm_source=x'])
  })

  it('without any of that is its title and its paragraphs', async () => {
    const body =
      '<title> Plain\n page </title><nav><p>menu</p></nav><main><p>One <b>bold</b></p><p>Two<script>no()</script></p></main>'
    const { site, fetchPage } = await begin({ '/p?utm_source=x&id=2': { headers: HTML, body } })

    const note = valueOf(await fetchPage('/p?utm_source=x&id=2'))

    expect(note).toMatchObject({ title: 'Plain page', text: 'One bold\nTwo', author: undefined })
    expect(note.canonicalUrl).toBe(site.url('/p?id=2'))
  })

  it('does not take the address of another site as its own', () => {
    const html = '<title>x</title><link rel="canonical" href="https://bank.example/login">'

    expect(readPage(html, { url: 'https://www.a.example/p', now: 0 })?.canonicalUrl).toBe(
      'https://www.a.example/p',
    )
  })

  it.each([
    ['its header', 'text/html; charset=GB2312', ''],
    ['its meta', 'text/html', '<meta http-equiv="Content-Type" content="text/html; charset=gbk">'],
    ['nothing at all', 'text/html', ''],
    ['a label that nobody knows', 'text/html; charset=chinese-9', ''],
  ])('is read in the encoding told by %s', async (_, type, meta) => {
    // 标题 in GB 18030.
    const title = Uint8Array.of(0xb1, 0xea, 0xcc, 0xe2)
    const body = Buffer.concat([Buffer.from(`${meta}<title>`), title, Buffer.from('</title>')])
    const { fetchPage } = await begin({ '/p': { headers: { 'content-type': type }, body } })

    expect(valueOf(await fetchPage('/p')).title).toBe('标题')
  })

  it('is read by its mark, whatever else it says', () => {
    expect(decodeText(Buffer.from('\uFEFF标', 'utf8'), 'text/html; charset=gbk')).toBe('标')
    expect(decodeText(Buffer.from('\uFEFF标', 'utf16le'), null)).toBe('标')
    expect(decodeText(Buffer.from('<meta charset="utf-16">标'), null)).toContain('标')
  })

  it('never gets a cookie', async () => {
    const { site, fetchPage } = await begin({ '/a': { headers: HTML, body: ARTICLE } })

    await fetchPage('/a', new Secret('SUB=canary-of-a-cookie'))

    expectNowhere('canary-of-a-cookie', site.requests)
  })

  it.each([
    ['404', answers(404), 'not-found'],
    ['410', answers(410), 'gone'],
    ['429', answers(429, '', { 'retry-after': '5' }), 'rate-limited'],
    ['503', answers(503), 'platform-down'],
    ['a challenge', answers(403, '', { 'cf-mitigated': 'challenge' }), 'challenged'],
    ['403', answers(403), 'refused'],
    ['a file', answers(200, '%PDF', { 'content-type': 'application/pdf' }), 'unreadable'],
    ['nothing', answers(200, '', HTML), 'unreadable'],
    ['too much', answers(200, 'x'.repeat(5_000_001), HTML), 'too-large'],
  ])('that is not there is told: %s', async (_, step, kind) => {
    const { site, fetchPage } = await begin({})
    site.script(answers(404), step)

    expect(failureOf(await fetchPage('/p')).kind).toBe(kind)
  })

  it.each(['ftp://a.example/x', 'file:///etc/passwd', 'https://me:secret@a.example/', 'no'])(
    'is refused where it is none of the web: %s',
    async (url) => {
      const { page } = await begin({})

      const failure = failureOf(await page.detail(detailAsk({ noteId: 'p', url })))

      expect(failure.kind).toBe('foreign-url')
      expectNowhere('secret', failure)
    },
  )
})

describe('robots.txt', () => {
  const page = { headers: HTML, body: '<title>x</title>' }

  scenario('C20', 'is asked first, kept for an hour, and obeyed', async () => {
    const robots = 'User-agent: *\nDisallow: /\n\nUser-agent: sluice\nDisallow: /private\n'
    const { site, clock, fetchPage } = await begin({
      '/robots.txt': robots,
      '/a': page,
      '/private': page,
    })

    const allowed = await fetchPage('/a')
    const refused = await fetchPage('/private')
    clock.advance(hours(1))
    await fetchPage('/a')

    expect(allowed.ok).toBe(true)
    expect(failureOf(refused)).toEqual({
      kind: 'disallowed-by-robots',
      where: site.url('/private'),
    })
    expect(site.asked()).toEqual(['/robots.txt', '/a', '/robots.txt', '/a'])
  })

  it('C20 — counts for every step of a redirect', async () => {
    const { site, fetchPage } = await begin({
      '/robots.txt': 'User-agent: *\nDisallow: /private',
      '/a': { status: 302, headers: { location: '/b' } },
      '/b': { status: 301, headers: { location: '{origin}/private' } },
      '/private': page,
      '/loop': { status: 302, headers: { location: '/loop' } },
    })

    expect(failureOf(await fetchPage('/a')).kind).toBe('disallowed-by-robots')
    expect(failureOf(await fetchPage('/loop')).kind).toBe('wrong-url')
    expect(site.asked()).not.toContain('/private')
  })

  it('C20 — counts where the bytes of a redirect lead, also those beyond ASCII', async () => {
    const { site, fetchPage } = await begin({
      '/robots.txt': `User-agent: *\nDisallow: ${encodeURI('/私')}`,
      '/a': { status: 302, headers: { location: asBytes('/文章') } },
      '/b': { status: 302, headers: { location: asBytes('/私') } },
      [encodeURI('/文章')]: page,
      [encodeURI('/私')]: page,
    })

    const note = valueOf(await fetchPage('/a'))

    expect(note.canonicalUrl).toBe(site.url(encodeURI('/文章')))
    expect(failureOf(await fetchPage('/b')).kind).toBe('disallowed-by-robots')
  })

  it('that cannot be read allows nothing, and is asked again', async () => {
    const { site, fetchPage } = await begin({ '/a': page })
    site.script(answers(503))

    expect(failureOf(await fetchPage('/a')).kind).toBe('platform-down')
    expect((await fetchPage('/a')).ok).toBe(true)
    expect(site.asked()).toEqual(['/robots.txt', '/robots.txt', '/a'])
  })

  it('C20 — speaks to us by name before it speaks to all, whatever stands in between', async () => {
    const robots = [
      'User-agent: *',
      'Disallow: /a',
      'User-Agent : other/2.0',
      'Sitemap: https://example.com/sitemap.xml',
      'USER-AGENT: SLUICE/9 # us',
      'what is this: nothing',
      'disallow:/private # not for us',
      'Allow: /private/but-this',
      'User-agent: other',
      'Disallow: /b',
    ]
    const { fetchPage } = await begin({
      '/robots.txt': robots.join('\r\n'),
      '/a': page,
      '/b': page,
      '/private': page,
      '/private/but-this': page,
    })

    for (const path of ['/a', '/b', '/private/but-this']) {
      expect((await fetchPage(path)).ok, path).toBe(true)
    }
    expect(failureOf(await fetchPage('/private')).kind).toBe('disallowed-by-robots')
  })

  it('C20 — of thousands of names and rules costs no more than its own length', async () => {
    const names = 'User-agent: x\n'.repeat(18_000)
    const rules = 'Disallow: /y\n'.repeat(18_000)
    const { fetchPage } = await begin({ '/robots.txt': names + rules, '/a': page })

    expect((await fetchPage('/a')).ok).toBe(true)
  })

  it('C20 — with more rules for us than can be gone through allows nothing', async () => {
    const many = `User-agent: *\n${'Disallow: /y\n'.repeat(5_001)}`
    const long = `User-agent: *\nDisallow: /${'*y'.repeat(70_000)}`
    const { fetchPage } = await begin({ '/robots.txt': many, '/a': page })
    const { fetchPage: fetchOther } = await begin({ '/robots.txt': long, '/a': page })

    expect(failureOf(await fetchPage('/a')).kind).toBe('disallowed-by-robots')
    expect(failureOf(await fetchOther('/a')).kind).toBe('disallowed-by-robots')
  })

  it('is read up to a limit', async () => {
    const robots = `User-agent: *\nDisallow: /private\n${'# filler\n'.repeat(100_000)}`
    const { fetchPage } = await begin({ '/robots.txt': robots, '/a': page, '/private': page })

    expect((await fetchPage('/a')).ok).toBe(true)
    expect(failureOf(await fetchPage('/private')).kind).toBe('disallowed-by-robots')
  })

  it.each([
    ['a line feed', '\n'],
    ['a carriage return', '\r'],
  ])('C20 — is read up to its last whole line, which ends with %s', async (_, end) => {
    const rest = `${' '.repeat(600_000)}/more`
    const start = ['User-agent: *', 'Disallow: /private', ''].join(end)
    const files = { '/a': page, '/private': page }
    const allowing = await begin({ ...files, '/robots.txt': `${start}Allow: /private${rest}` })
    const forbidding = await begin({ ...files, '/robots.txt': `${start}Disallow: /${rest}` })

    const ofAllowing = await allowing.fetchPage('/private')
    const ofForbidding = await forbidding.fetchPage('/a')

    expect(failureOf(ofAllowing).kind).toBe('disallowed-by-robots')
    expect(ofForbidding.ok).toBe(true)
    expect(failureOf(await forbidding.fetchPage('/private')).kind).toBe('disallowed-by-robots')
  })
})
