import { brotliCompressSync, gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { guardedFetch } from '../../../src/apps/node/guarded-fetch.ts'
import { openBudget } from '../../../src/core/budget.ts'
import type { Clock } from '../../../src/core/clock.ts'
import { httpClient } from '../../../src/core/http.ts'
import { webGunzip } from '../../../src/submit/sitemap/gunzip.ts'
import { MAX_FILE_BYTES } from '../../../src/submit/sitemap/limits.ts'
import type { RememberedFile } from '../../../src/submit/sitemap/reading.ts'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import { scenario } from '../../support/scenario.ts'
import { openSite, sitemapIndex, urlset } from '../../support/stand-ins/site.ts'
import { answers, breaks, USUAL } from '../../support/stand-ins/stand-in.ts'
import { siteWith } from './read-site.ts'
import { at } from './scan-document.ts'

const one = urlset(['{origin}/1', '2024-01-01'])
const many = (count: number) => urlset(...Array.from({ length: count }, (_, n) => `{origin}/${n}`))

/** The client of a server, whose decompressors are Node's. */
const nodeHttp = (clock: Clock) =>
  httpClient({
    fetch: guardedFetch({ allowPrivate: true }),
    clock,
    userAgent: 'Sluice/test',
    allowPrivate: true,
  })

describe('S01', () => {
  scenario('S01', 'a sitemap is read', async () => {
    const { read } = await siteWith({
      '/sitemap.xml': urlset(['{origin}/1', '2024-01-01'], '{origin}/2'),
    })

    const { urls, lastmods, files, report } = await read()

    expect(urls).toEqual(['/1', '/2'])
    expect(lastmods).toEqual([at('2024-01-01'), 0])
    expect(files).toEqual(['read /sitemap.xml: 2'])
    expect(report).toMatchObject({ urls: 2, foreign: 0, complete: true })
  })

  scenario('S01', 'indexes in indexes are read five deep, and no deeper', async () => {
    const level = (n: number) => sitemapIndex(`{origin}/${n}.xml`, `{origin}/pages-${n}.xml`)
    const { read } = await siteWith({
      '/sitemap.xml': level(1),
      ...Object.fromEntries([1, 2, 3, 4, 5].map((n) => [`/${n}.xml`, level(n + 1)])),
      ...Object.fromEntries(
        [1, 2, 3, 4, 5, 6].map((n) => [`/pages-${n}.xml`, urlset(`{origin}/page-${n}`)]),
      ),
    })

    const { urls, report } = await read()

    expect(urls).toEqual([1, 2, 3, 4, 5].map((n) => `/page-${n}`))
    expect(report.complete).toBe(false)
    expect(report.files.filter(({ status }) => status === 'refused')).toMatchObject([
      { error: expect.stringContaining('more than 5 sitemap indexes deep') },
      { error: expect.stringContaining('more than 5 sitemap indexes deep') },
    ])
  })

  scenario(
    'S01',
    'each file is read once, also when indexes name each other and themselves',
    async () => {
      const { site, read } = await siteWith({
        '/sitemap.xml': sitemapIndex(
          '{origin}/a.xml',
          '{origin}/sitemap.xml',
          '{origin}/b.xml',
          '{origin}/a.xml#again',
        ),
        '/a.xml': sitemapIndex('{origin}/b.xml', '{origin}/sitemap.xml', 'HTTP://{host}/c.xml'),
        '/b.xml': urlset('{origin}/1'),
        '/c.xml': urlset('{origin}/2'),
      })

      const { urls, report } = await read()

      expect(urls).toEqual(['/1', '/2'])
      expect(site.asked().toSorted()).toEqual(['/a.xml', '/b.xml', '/c.xml', '/sitemap.xml'])
      expect(report.complete).toBe(true)
    },
  )

  scenario('S01', 'the reader does not run ahead of a slow taker', async () => {
    const { read } = await siteWith({ '/sitemap.xml': many(20_000) })
    let waiting = 0
    let most = 0
    let taken = 0

    await read({
      take: async ({ count }) => {
        most = Math.max(most, ++waiting)
        await new Promise((later) => setImmediate(later))
        waiting--
        taken += count
      },
    })

    expect(taken).toBe(20_000)
    expect(most).toBe(1)
  })
})

describe('S02', () => {
  const padding = (bytes: number) => `<!--${'x'.repeat(bytes)}-->`

  scenario('S02', 'a file past 50 MB is refused, and the rest goes on', async () => {
    const { read } = await siteWith({
      '/sitemap.xml': sitemapIndex('{origin}/large.xml', '{origin}/small.xml'),
      '/large.xml': `<urlset><url><loc>{origin}/first</loc></url>${padding(MAX_FILE_BYTES)}<url><loc>{origin}/last</loc></url></urlset>`,
      '/small.xml': urlset('{origin}/small'),
    })

    const { urls, files, report } = await read()

    expect(urls.toSorted()).toEqual(['/first', '/small'])
    expect(files).toEqual(['read /sitemap.xml: 2', 'refused /large.xml: 1', 'read /small.xml: 1'])
    expect(report.complete).toBe(false)
  })

  scenario('S02', 'a gzip bomb stops at the limit', async () => {
    const bomb = gzipSync(`<urlset>${padding(300_000_000)}</urlset>`)
    const { read } = await siteWith({ '/sitemap.xml': bomb })

    for (const gunzip of [nodeGunzip, webGunzip]) {
      const { report } = await read({ gunzip })
      expect(report.files).toMatchObject([
        { status: 'refused', error: expect.stringContaining('larger than 50 MB uncompressed') },
      ])
      expect(report.files[0]?.bytes).toBeLessThan(MAX_FILE_BYTES + 1_000_000)
    }
  })

  scenario(
    'S02',
    'a file that takes longer than 30 s is refused and not asked for again',
    async () => {
      const { site, clock, read } = await siteWith({ '/sitemap.xml': one })
      site.always(breaks('hang'))
      void site.arrival().then(() => clock.advance(30_000))

      const { report } = await read()

      expect(report.files).toMatchObject([
        { status: 'refused', error: expect.stringContaining('did not finish within 30000 ms') },
      ])
      expect(site.requests).toHaveLength(1)
    },
  )

  scenario('S02', 'time runs out also for one that sends a byte a second', async () => {
    const { site, read } = await siteWith({ '/sitemap.xml': one })
    site.script(breaks('drip'))

    const { report } = await read()

    expect(report.files).toMatchObject([{ status: 'refused', count: 0 }])
  })
})

describe('S03', () => {
  scenario('S03', 'a failed fetch is tried again three times, two seconds apart', async () => {
    const { site, clock, read } = await siteWith({ '/sitemap.xml': one })
    site.script(breaks('reset'), answers(503), breaks('garbage'))

    const { urls, report } = await read()

    expect(urls).toEqual(['/1'])
    expect(clock.slept).toEqual([2_000, 2_000, 2_000])
    expect(report).toMatchObject({ complete: true, urls: 1 })
  })

  scenario('S03', 'then it is reported and skipped, and the rest goes on', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': sitemapIndex('{origin}/1.xml', '{origin}/2.xml'),
      '/1.xml': { status: 500 },
      '/2.xml': one,
    })

    const { urls, files, report } = await read()

    expect(urls).toEqual(['/1'])
    expect(files).toEqual(['read /sitemap.xml: 2', 'failed /1.xml: 0', 'read /2.xml: 1'])
    expect(report.files[1]?.error).toContain('The server answered 500')
    expect(report.complete).toBe(false)
    expect(site.asked().filter((path) => path === '/1.xml')).toHaveLength(4)
  })

  scenario('S03', 'the server says how long to wait, within reason', async () => {
    const { site, clock, read } = await siteWith({ '/sitemap.xml': one })
    site.script(answers(429, '', { 'retry-after': '7' }), answers(429))
    await read()
    expect(clock.slept).toEqual([7_000, 2_000])

    site.script(answers(503, '', { 'retry-after': '3600' }))
    const { report } = await read()
    expect(report.files).toMatchObject([
      { status: 'failed', error: expect.stringContaining('come back in 3600 seconds') },
    ])
  })

  scenario('S03', 'a transfer that breaks off is tried again from the start', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': `${many(3_000).replace('</urlset>', '')}`,
    })
    site.script(breaks('wrong-length'))
    site.put({
      '/sitemap.xml': [{ body: many(3_000).replace(/<\/urlset>\s*$/, '') }, { body: many(3_000) }],
    })

    const { report } = await read()

    expect(report).toMatchObject({ complete: true, urls: 3_000 })
    expect(site.requests).toHaveLength(2)
  })

  scenario('S03', 'a transfer that breaks off behind the end of a document is whole', async () => {
    const { site, read } = await siteWith({ '/sitemap.xml': one })
    site.script(breaks('wrong-length'))

    const { urls, report } = await read()

    expect(urls).toEqual(['/1'])
    expect(report).toMatchObject({ complete: true, urls: 1 })
    expect(site.requests).toHaveLength(1)
  })

  scenario('S03', 'the backup is read when the sitemap fails, and only then', async () => {
    const { site, read } = await siteWith({ '/backup.xml': urlset('{origin}/from-backup') })
    const backups = [site.url('/backup.xml')]

    const without = await read({ backups })
    expect(without.urls).toEqual(['/from-backup'])
    expect(without.files).toEqual(['failed /sitemap.xml: 0', 'read /backup.xml: 1'])
    expect(without.report.complete).toBe(false)

    site.put({ '/sitemap.xml': one })
    const withIt = await read({ backups })
    expect(withIt.files).toEqual(['read /sitemap.xml: 1'])
  })

  it.each([404, 410, 403, 401, 400])('%d is not tried again', async (status) => {
    const { site, read } = await siteWith({ '/sitemap.xml': { status } })

    const { report } = await read()

    expect(report.files).toMatchObject([
      { status: 'failed', error: expect.stringContaining(`answered ${status}`) },
    ])
    expect(site.requests).toHaveLength(1)
  })
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

describe('S06', () => {
  scenario('S06', 'URLs of another host are dropped and counted', async () => {
    const { read } = await siteWith({
      '/sitemap.xml': urlset(
        '{origin}/1',
        'https://www.other.test/1',
        'HTTPS://{host}/2',
        'https://sub.site.test/3',
      ),
    })

    const { urls, foreign, files, report } = await read()

    expect(urls).toHaveLength(2)
    expect(foreign).toEqual(['https://www.other.test/1', 'https://sub.site.test/3'])
    expect(report).toMatchObject({ urls: 2, foreign: 2, complete: true })
    expect(files).toEqual(['read /sitemap.xml: 4'])
  })

  scenario(
    'S06',
    'a child sitemap on another host is read only if the site allows it by name',
    async () => {
      const { site, clock, read } = await siteWith({})
      const other = await openSite({
        clock,
        files: { '/child.xml': urlset(site.url('/1'), '{origin}/theirs') },
      })
      site.put({ '/sitemap.xml': sitemapIndex(other.url('/child.xml')) })

      const refused = await read()
      expect(refused.urls).toEqual([])
      expect(refused.report.complete).toBe(false)
      expect(refused.report.files[1]).toMatchObject({
        status: 'refused',
        error: expect.stringContaining(
          `${other.host}. If that is meant, add the host to allowedSitemapHosts`,
        ),
      })
      expect(other.requests).toHaveLength(0)

      const allowed = await read({ allowedSitemapHosts: [other.host] })
      expect(allowed.urls).toEqual(['/1'])
      expect(allowed.foreign).toEqual([other.url('/theirs')])
      await other.close()
    },
  )
})

describe('S07', () => {
  const etag = '"v1"'
  const lastModified = 'Mon, 15 Jan 2024 10:00:00 GMT'
  const rememberedFrom = (files: readonly { url: string; remember?: RememberedFile }[]) => {
    const known = new Map(files.map(({ url, remember }) => [url, remember]))
    return (url: string) => known.get(url)
  }

  scenario('S07', 'a file that did not change is not sent again', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': sitemapIndex('{origin}/1.xml', '{origin}/2.xml', '{origin}/3.xml'),
      '/1.xml': { body: urlset('{origin}/1'), headers: { etag } },
      '/2.xml': { body: urlset('{origin}/2'), headers: { 'last-modified': lastModified } },
      '/3.xml': urlset('{origin}/3'),
    })
    const first = await read()
    expect(first.report.files[1]?.remember).toEqual({
      etag,
      format: 'urlset',
      urls: 1,
      foreign: 0,
      lastmod: 0,
      readAt: expect.any(Number),
    })

    const second = await read({ remembered: rememberedFrom(first.report.files) })

    expect(second.urls).toEqual(['/3'])
    expect(second.files).toEqual([
      'read /sitemap.xml: 3',
      'not-modified /1.xml: 1',
      'not-modified /2.xml: 1',
      'read /3.xml: 1',
    ])
    expect(second.report.complete).toBe(true)
    expect(second.report.files[1]?.remember).toEqual(first.report.files[1]?.remember)

    site.put({
      '/1.xml': { body: urlset('{origin}/1', '{origin}/new'), headers: { etag: '"v2"' } },
    })
    const third = await read({ remembered: rememberedFrom(second.report.files) })
    expect(third.urls.toSorted()).toEqual(['/1', '/3', '/new'])
  })

  scenario(
    'S07',
    'a file whose lastmod in the index did not change is not even asked for',
    async () => {
      const { site, read } = await siteWith({
        '/sitemap.xml': sitemapIndex(
          ['{origin}/1.xml', '2024-01-01'],
          ['{origin}/2.xml', '2024-01-01'],
        ),
        '/1.xml': urlset('{origin}/1'),
        '/2.xml': urlset('{origin}/2'),
      })
      const { report } = await read()
      site.put({
        '/sitemap.xml': sitemapIndex(
          ['{origin}/1.xml', '2024-01-01'],
          ['{origin}/2.xml', '2024-01-02'],
        ),
      })

      const second = await read({ remembered: rememberedFrom(report.files) })

      expect(second.urls).toEqual(['/2'])
      expect(second.files).toEqual([
        'read /sitemap.xml: 2',
        'not-modified /1.xml: 1',
        'read /2.xml: 1',
      ])
      expect(second.report.files[2]?.remember).toMatchObject({ lastmod: at('2024-01-02') })
      expect(site.asked().filter((path) => path === '/1.xml')).toHaveLength(1)
    },
  )

  scenario(
    'S07',
    'an index is always read: what it names may have changed without it',
    async () => {
      const { site, read } = await siteWith({
        '/sitemap.xml': { body: sitemapIndex('{origin}/1.xml'), headers: { etag } },
        '/1.xml': urlset('{origin}/1'),
      })
      const { report } = await read()

      const second = await read({ remembered: rememberedFrom(report.files) })

      expect(second.urls).toEqual(['/1'])
      expect(site.requests.some(({ headers }) => 'if-none-match' in headers)).toBe(false)
    },
  )

  scenario(
    'S07',
    'nothing is passed over unless the caller allows it, and a failed file is not remembered',
    async () => {
      const { read } = await siteWith({
        '/sitemap.xml': { body: `${one}`.replace('</urlset>', ''), headers: { etag } },
      })
      const { report } = await read()
      expect(report.files[0]?.remember).toBeUndefined()
      expect((await read()).urls).toEqual(['/1'])
    },
  )
})

describe('stopping', () => {
  it('a signal ends the reading, and says what was not read', async () => {
    const { site, read } = await siteWith({
      '/sitemap.xml': sitemapIndex('{origin}/1.xml', '{origin}/2.xml'),
      '/1.xml': one,
      '/2.xml': one,
    })
    const controller = new AbortController()
    site.script(USUAL, breaks('hang'), breaks('hang'))
    void site
      .arrival()
      .then(() => site.arrival())
      .then(() => controller.abort())

    const { files, report } = await read({ signal: controller.signal })

    expect(files).toEqual(['read /sitemap.xml: 2', 'skipped /1.xml: 0', 'skipped /2.xml: 0'])
    expect(report.complete).toBe(false)
  })

  it.each([
    [
      'requests',
      { subrequests: 2 },
      ['read /sitemap.xml: 2', 'read /1.xml: 1', 'skipped /2.xml: 0'],
    ],
    ['URLs', { urls: 1 }, ['read /sitemap.xml: 2', 'read /1.xml: 1', 'skipped /2.xml: 0']],
    ['time', { timeMs: 0 }, ['skipped /sitemap.xml: 0']],
  ])('a budget of %s ends it cleanly', async (_, limits, expected) => {
    const { clock, read } = await siteWith({
      '/sitemap.xml': sitemapIndex('{origin}/1.xml', '{origin}/2.xml'),
      '/1.xml': one,
      '/2.xml': one,
    })

    const { files, report } = await read({ budget: openBudget(limits, clock) })

    expect(files.toSorted()).toEqual(expected.toSorted())
    expect(report.complete).toBe(false)
    expect(report.files.at(-1)?.error).toMatch(/was read|were used up/)
  })

  it('what the taker throws is a bug and passes through', async () => {
    const { read } = await siteWith({
      '/sitemap.xml': gzipSync(one.replaceAll('{origin}', 'http://x.test')),
    })
    const broken = () => {
      throw new Error('the ledger is broken')
    }
    await expect(read({ take: broken })).rejects.toThrow('the ledger is broken')
    await expect(read({ take: broken, gunzip: webGunzip })).rejects.toThrow('the ledger is broken')
  })
})
