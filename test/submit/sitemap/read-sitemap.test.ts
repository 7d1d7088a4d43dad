import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { openBudget } from '../../../src/core/budget.ts'
import { webGunzip } from '../../../src/submit/sitemap/gunzip.ts'
import { MAX_FILE_BYTES } from '../../../src/submit/sitemap/limits.ts'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import { scenario } from '../../support/scenario.ts'
import { openSite, sitemapIndex, urlset } from '../../support/stand-ins/site.ts'
import { answers, breaks, USUAL } from '../../support/stand-ins/stand-in.ts'
import { many, one, siteWith } from './read-site.ts'
import { at } from './scan-document.ts'

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
