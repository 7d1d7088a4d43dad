import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/apps/node/guarded-fetch.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { httpClient } from '../../../src/core/http.ts'
import { webGunzip } from '../../../src/submit/sitemap/gunzip.ts'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import { scenario } from '../../support/scenario.ts'
import { urlset } from '../../support/stand-ins/site.ts'
import { many, one, siteWith } from './read-site.ts'

/** The client of a server, whose decompressors are Node's. */
const nodeHttp = (clock: Clock) =>
  httpClient({
    fetch: guardedFetch({ allowPrivate: true }),
    clock,
    userAgent: 'Sluice/test',
    allowPrivate: true,
  })

describe('S04', () => {
  scenario(
    'S04',
    'of broken XML the whole entries before the break are kept, and the place is named',
    async () => {
      const { site, read } = await siteWith({
        '/sitemap.xml': `<urlset>\n<url><loc>{origin}/1</loc></url>\n<url><loc>{origin}/2</url>\n<url><loc>{origin}/3</loc></url></urlset>`,
      })

      const { urls, report } = await read()

      expect(urls).toEqual(['/1'])
      expect(report.complete).toBe(false)
      expect(report.files).toMatchObject([
        {
          status: 'failed',
          count: 1,
          failure: { kind: 'broken', line: 3 },
          error: expect.stringMatching(/^Line 3, column \d+: <\/url> while <loc> is still open/),
        },
      ])
      expect(site.requests).toHaveLength(1)
    },
  )

  scenario('S04', 'a file cut off is kept as far as it goes', async () => {
    const { site, read } = await siteWith({ '/sitemap.xml': many(1_000).slice(0, -100) })

    const { report } = await read()

    expect(report.files).toMatchObject([
      { status: 'failed', error: expect.stringContaining('ends before </urlset>') },
    ])
    expect(report.urls).toBeGreaterThan(990)
    expect(site.requests).toHaveLength(1)
  })

  scenario('S04', 'half a line of a list that is cut off is no address', async () => {
    const list = Buffer.from('http://site.test/first\nhttp://site.test/second\n')
    const { read } = await siteWith({
      '/sitemap.xml': gzipSync(list, { level: 0 }).subarray(0, -'nd\n'.length - 8),
    })

    for (const gunzip of [nodeGunzip, webGunzip]) {
      const { urls, report } = await read({ gunzip, host: 'site.test' })
      expect(urls).toEqual(['http://site.test/first'])
      expect(report.complete).toBe(false)
    }
  })

  scenario('S04', 'invalid URLs are dropped and counted, with their reasons', async () => {
    const { read } = await siteWith({
      '/sitemap.xml': urlset(
        '{origin}/good',
        'javascript:alert(1)',
        `{origin}/${'x'.repeat(10_000)}`,
        '/relative',
        'https://user:pass@{host}/',
        '{origin}/a b',
      ),
    })

    const { urls, report } = await read()

    expect(urls).toEqual(['/good', '/a%20b'])
    expect(report.invalid).toEqual({
      'not-http': 1,
      'too-long': 1,
      'not-a-url': 1,
      'has-credentials': 1,
    })
    expect(report.samples).toContainEqual({ value: 'javascript:alert(1)', reason: 'not-http' })
    expect(report.complete).toBe(true)
  })

  it.each([
    ['a page', '<!doctype html><html></html>', 'HTML page'],
    ['other XML', '<Error/>', 'begins with <Error>'],
    ['nothing', '', 'is empty'],
    ['text', 'nothing to see here', 'neither a sitemap'],
  ])('%s instead of a sitemap is not tried again', async (_, body, error) => {
    const { site, read } = await siteWith({ '/sitemap.xml': body })

    const { report } = await read()

    expect(report.files).toMatchObject([
      { status: 'failed', count: 0, error: expect.stringContaining(error) },
    ])
    expect(site.requests).toHaveLength(1)
  })
})

describe('S05', () => {
  const zipped = gzipSync(urlset('http://site.test/1'))
  const plain = Buffer.from(urlset('http://site.test/1'))
  const gzip = { 'content-encoding': 'gzip' }

  it.each([
    ['S05 — gzip by name', '/a.xml.gz', { body: zipped }],
    [
      'S05 — gzip by name and type',
      '/a.xml.gz',
      { body: zipped, headers: { 'content-type': 'application/gzip' } },
    ],
    ['S05 — gzip by header', '/a.xml', { body: zipped, headers: gzip }],
    ['S05 — gzip by name and header', '/a.xml.gz', { body: zipped, headers: gzip }],
    [
      'S05 — gzip by nothing but its bytes',
      '/a.xml',
      { body: zipped, headers: { 'content-type': 'text/xml' } },
    ],
    ['S05 — gzip by name only', '/a.xml.gz', { body: plain }],
    ['S05 — gzip in gzip', '/a.xml.gz', { body: gzipSync(zipped), headers: gzip }],
    ['S05 — gzip in gzip without a header', '/a.xml.gz', { body: gzipSync(zipped) }],
  ])('%s', async (_, path, file) => {
    const { site, read } = await siteWith({ [path]: file })

    for (const gunzip of [nodeGunzip, webGunzip]) {
      const { report } = await read({ roots: [site.url(path)], host: 'site.test', gunzip })
      expect(report).toMatchObject({ complete: true, urls: 1 })
    }
  })

  scenario('S05', 'gzip in gzip, larger than what is decompressed at once', async () => {
    const inner = gzipSync(many(50_000).replaceAll('{origin}', 'http://site.test'), { level: 0 })
    const { read } = await siteWith({ '/sitemap.xml': gzipSync(inner) })

    for (const gunzip of [nodeGunzip, webGunzip]) {
      const { report } = await read({ gunzip, host: 'site.test' })
      expect(report).toMatchObject({ complete: true, urls: 50_000 })
    }
  })

  scenario(
    'S05',
    'a server that claims gzip for what is none is asked for it plainly',
    async () => {
      const { site, read } = await siteWith({
        '/sitemap.xml': ({ headers }) => ({
          body: one,
          headers: headers['accept-encoding'] === 'identity' ? {} : gzip,
        }),
      })
      expect((await read()).urls).toEqual(['/1'])

      site.put({ '/sitemap.xml': { body: one, headers: gzip } })
      expect((await read()).report.files).toMatchObject([
        { status: 'failed', error: expect.stringContaining('what it sends is not encoded so') },
      ])
    },
  )

  scenario('S05', 'nor is one believed that claims Brotli', async () => {
    const { clock, read } = await siteWith({
      '/sitemap.xml': ({ headers }) => ({
        body: one,
        headers: headers['accept-encoding'] === 'identity' ? {} : { 'content-encoding': 'br' },
      }),
    })

    expect((await read({ http: nodeHttp(clock) })).urls).toEqual(['/1'])
  })

  scenario('S04', 'a compressed list that breaks off is not taken for whole', async () => {
    const list = Array.from({ length: 500 }, (_, n) => `http://site.test/page-${n}\n`).join('')
    for (const [coding, bytes] of [
      ['gzip', gzipSync(list)],
      ['br', brotliCompressSync(list)],
    ] as const) {
      const { clock, read } = await siteWith({
        '/sitemap.xml': { body: bytes.subarray(0, -40), headers: { 'content-encoding': coding } },
      })

      const { urls, report } = await read({ http: nodeHttp(clock), host: 'site.test' })

      expect(report).toMatchObject({
        complete: false,
        files: [{ failure: { kind: 'gzip-broken' } }],
      })
      expect(list.startsWith(`${urls.join('\n')}\n`)).toBe(true)
    }
  })

  scenario('S05', 'a damaged archive gives what can be had of it', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': gzipSync(many(50_000).replaceAll('{origin}', 'http://site.test')).subarray(
        0,
        -2_000,
      ),
    })

    for (const gunzip of [nodeGunzip, webGunzip]) {
      const { report } = await read({ gunzip, host: 'site.test' })
      expect(report.files).toMatchObject([
        { status: 'failed', error: expect.stringContaining('damaged or cut off') },
      ])
      expect(report.urls).toBeGreaterThan(1_000)
    }
    expect(site.requests).toHaveLength(2)
  })

  scenario('S05', 'feeds and lists are read under any name', async () => {
    const { site, read } = await siteWith({
      '/rss.xml':
        '<rss><channel><item><link>{origin}/rss</link><pubDate>Mon, 15 Jan 2024 00:00:00 GMT</pubDate></item></channel></rss>',
      '/atom.xml': '<feed><entry><link href="{origin}/atom"/></entry></feed>',
      '/list.xml': '{origin}/text\n',
    })

    const { urls, report } = await read({
      roots: ['/rss.xml', '/atom.xml', '/list.xml'].map(site.url),
    })

    expect(urls.toSorted()).toEqual(['/atom', '/rss', '/text'])
    expect(report.files.map(({ format }) => format)).toEqual(['rss', 'atom', 'text'])
  })

  scenario('S05', 'a site names its sitemaps in robots.txt, in any spelling', async () => {
    const { site, read } = await siteWith({
      '/robots.txt':
        '\uFEFFsitemap: {origin}/1.xml\r\nUser-agent: *\nDisallow: /\nSITEMAP:/2.xml # second\nSiteMap : {origin}/1.xml',
      '/1.xml': urlset('{origin}/one'),
      '/2.xml': urlset('{origin}/two'),
    })

    for (const root of [site.origin, `${site.origin}/`]) {
      const { urls, report } = await read({ roots: [root] })
      expect(urls.toSorted()).toEqual(['/one', '/two'])
      expect(report.complete).toBe(true)
    }
  })

  scenario(
    'S05',
    'a robots.txt of thousands of names and rules costs no more than its length',
    async () => {
      const rules = 'User-agent: x\n'.repeat(18_000) + 'Disallow: /y\n'.repeat(18_000)
      const { site, read } = await siteWith({
        '/robots.txt': `${rules}Sitemap: /a.xml`,
        '/a.xml': urlset('{origin}/one'),
      })

      const { urls } = await read({ roots: [site.origin] })

      expect(urls).toEqual(['/one'])
    },
  )

  scenario('S05', 'of a robots.txt that is too long, half a line names nothing', async () => {
    const { site, read } = await siteWith({
      '/robots.txt': `Sitemap: {origin}/a.xml\nSitemap: {origin}/${'x'.repeat(600_000)}.xml\n`,
      '/a.xml': one,
    })

    const { files } = await read({ roots: [site.origin] })

    expect(files).toEqual(['read /a.xml: 1'])
  })

  scenario('S05', 'of one that is too long, whole lines count however they end', async () => {
    const { site, read } = await siteWith({
      '/robots.txt': `Sitemap: {origin}/a.xml\rSitemap: {origin}/${'x'.repeat(600_000)}.xml\r`,
      '/a.xml': one,
    })

    const { files } = await read({ roots: [site.origin] })

    expect(files).toEqual(['read /a.xml: 1'])
  })

  scenario('S05', 'where robots.txt names none, or is not there, it is /sitemap.xml', async () => {
    const { site, read } = await siteWith({ '/sitemap.xml': one })
    expect((await read({ roots: [site.origin] })).urls).toEqual(['/1'])

    site.put({ '/robots.txt': 'User-agent: *\n' })
    expect((await read({ roots: [site.origin] })).urls).toEqual(['/1'])
  })

  scenario('S05', 'redirects are followed, five of them', async () => {
    const to = (n: number) => ({ status: 302, headers: { location: `/${n}.xml` } })
    const { site, read } = await siteWith({
      '/sitemap.xml': to(1),
      ...Object.fromEntries([1, 2, 3, 4].map((n) => [`/${n}.xml`, to(n + 1)])),
      '/5.xml': one,
    })
    expect((await read()).urls).toEqual(['/1'])

    site.put({ '/5.xml': to(6), '/6.xml': one })
    expect((await read()).report.files).toMatchObject([
      { status: 'failed', error: expect.stringContaining('redirects') },
    ])
  })

  scenario('S05', 'further roots are read beside the first', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': urlset('{origin}/1'),
      '/more.xml': urlset('{origin}/2'),
    })

    const { urls, files } = await read({ roots: [site.url('/sitemap.xml'), site.url('/more.xml')] })

    expect(urls.toSorted()).toEqual(['/1', '/2'])
    expect(files).toEqual(['read /sitemap.xml: 1', 'read /more.xml: 1'])
  })

  it('warns of more than 50,000 URLs in a file, and reads them', async () => {
    const { read } = await siteWith({ '/sitemap.xml': many(50_001) })

    const { report } = await read()

    expect(report).toMatchObject({ complete: true, urls: 50_001 })
    expect(report.files[0]?.warning).toContain('50001 URLs')
  })
})
