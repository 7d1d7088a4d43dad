import { gzipSync } from 'node:zlib'
import { describe, expect } from 'vitest'
import { scenario } from '../../support/scenario.ts'
import { entries, PLANTED } from './planted.ts'
import { BING_KEY, bingWith, codes, KEY, only, openPractice, problems, SITE } from './support.ts'

describe('the doctor', () => {
  scenario('R09', 'finds nothing wrong with a healthy site', async () => {
    const { examine, site } = await openPractice()

    const found = await examine({ patient: bingWith(BING_KEY) })

    expect(problems(found)).toEqual([])
    expect(codes(found)).toEqual([
      'key-format',
      'key-file',
      'robots',
      'sitemap',
      'sitemap-lastmod',
      'key-scope',
      'engine',
      'bing',
      'clock',
    ])
    expect(only(found, 'sitemap').details).toMatchObject({ urls: 2, formats: ['urlset'], gzip: [] })
    expect(site.asked().toSorted()).toEqual(
      [`/${KEY}.txt`, '/robots.txt', '/sitemap.xml'].toSorted(),
    )
  })

  for (const [what, { changes, also, finds, says, fix }] of Object.entries(PLANTED)) {
    scenario('R09', `finds ${what}, and says what to do`, async () => {
      const practice = await openPractice()
      await also?.(practice)

      const found = await practice.examine(changes)

      expect(problems(found).toSorted()).toEqual(finds.toSorted())
      const [first = 'check-failed'] = finds
      expect(only(found, first).message).toMatch(says)
      expect(only(found, first).fix).toMatch(fix)
    })
  }

  scenario('R09', 'tells where a sitemap breaks, for machines too', async () => {
    const { examine } = await openPractice()

    const found = await examine({
      files: { '/sitemap.xml': `<urlset>\n<url><loc>${SITE}/a</loc></url>\n   <url><oops` },
    })

    expect(only(found, 'sitemap-broken').details).toMatchObject({ line: 3, column: 14 })
  })

  scenario('R09', 'tells by which signs a sitemap is compressed', async () => {
    const { examine } = await openPractice()
    const packed = gzipSync(entries('/a'))

    const found = await examine({
      files: {
        '/sitemap.xml.gz': packed,
        '/robots.txt': `Sitemap: ${SITE}/sitemap.xml.gz`,
      },
      patient: { sitemapUrl: `${SITE}/sitemap.xml.gz` },
    })

    expect(problems(found)).toEqual([])
    expect(only(found, 'sitemap').details).toMatchObject({ gzip: ['name', 'content'] })
  })

  scenario('R09', 'says at once that everything is wrong with a site that is gone', async () => {
    const { examine } = await openPractice()

    const found = await examine({
      patient: { sitemapUrl: 'https://gone.example/sitemap.xml', ...bingWith(BING_KEY) },
    })

    expect(codes(found)).toContain('key-file')
    expect(only(found, 'sitemap-unreachable').message).toMatch(/ENOTFOUND/)
    expect(codes(found)).toContain('bing-site-missing')
  })
})
