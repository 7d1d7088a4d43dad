import { describe, expect } from 'vitest'
import type { RememberedFile } from '../../../src/submit/sitemap/file-report.ts'
import { scenario } from '../../support/scenario.ts'
import { sitemapIndex, urlset } from '../../support/stand-ins/site.ts'
import { one, siteWith } from './read-site.ts'
import { at } from './scan-document.ts'

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
