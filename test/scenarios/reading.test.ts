import { expect } from 'vitest'
import { days } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { sitemapIndex } from '../support/stand-ins/site.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { sentTo } from './support.ts'

const statusesOf = ({ logs }: World, path: string) =>
  logs
    .filter(({ event, file }) => event === 'sitemap.read' && String(file).endsWith(path))
    .map(({ status }) => status)

scenario('S06', 'a URL that is listed twice, in two spellings, is submitted once', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
    '/one.xml': sitemapOf(['/a', '/a', '/b#top']),
    '/two.xml': sitemapOf(['/b', '/x/../a', '/c']),
  })
  await world.addSite()

  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 3, new: 3, submitted: 3, invalid: 0 })
  expect([...world.engine.received.values()].map(({ count }) => count)).toEqual([1, 1, 1])
})

scenario('S06', 'URLs of other hosts are left out, counted and told of', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapOf(['/a']).replace(
      '</urlset>',
      '<url><loc>https://elsewhere.example/b</loc></url><url><loc>http://cdn.example:8080/c</loc></url></urlset>',
    ),
  })
  await world.addSite()

  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 1, submitted: 1, invalid: 2 })
  expect(run.warnings).toEqual([
    `2 URLs are not on ${world.site.host} and left out. Each host needs a site of its own.`,
  ])
  expect(sentTo(world.engine)).toEqual(['/a'])
})

scenario('S07', 'the second run asks whether a file has changed and is answered 304', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
    '/one.xml': { headers: { etag: '"1"' }, body: sitemapOf(['/a', '/b']) },
    '/two.xml': {
      headers: { 'last-modified': 'Wed, 01 Jan 2025 00:00:00 GMT' },
      body: sitemapOf(['/c']),
    },
  })
  await world.addSite()
  await world.run()

  world.clock.advance(days(1))
  const run = await world.run()

  expect(statusesOf(world, '/one.xml')).toEqual(['read', 'not-modified'])
  expect(statusesOf(world, '/two.xml')).toEqual(['read', 'not-modified'])
  expect(run).toMatchObject({ status: 'succeeded', total: 3, new: 0, cached: 3, submitted: 0 })
})

scenario(
  'S07',
  'a file whose lastmod in the index is as before is not even asked for',
  async () => {
    const world = await openWorld()
    const index = (lastmod: string) =>
      sitemapIndex(['{origin}/one.xml', lastmod], ['{origin}/two.xml', '2025-01-01'])
    world.site.put({
      '/sitemap.xml': index('2025-01-01'),
      '/one.xml': sitemapOf(['/a']),
      '/two.xml': sitemapOf(['/b']),
    })
    await world.addSite()
    await world.run()

    world.site.put({ '/sitemap.xml': index('2025-01-02'), '/one.xml': sitemapOf(['/a', '/new']) })
    world.clock.advance(days(1))
    const run = await world.run()

    expect(world.site.asked().filter((path) => path === '/one.xml')).toHaveLength(2)
    expect(world.site.asked().filter((path) => path === '/two.xml')).toHaveLength(1)
    expect(run).toMatchObject({ total: 3, new: 1, cached: 2, submitted: 1 })
  },
)

scenario('S07', 'a file in which something is due is read although it did not change', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  const unchanging = (list: string[]) => ({ headers: { etag: '"1"' }, body: sitemapOf(list) })
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
    '/one.xml': unchanging(['/a']),
    '/two.xml': unchanging(['/b']),
  })
  await world.addSite({ maxConcurrentRequests: 1 })
  world.engine.script(answers(503))
  const first = await world.run()
  const failed = sentTo(world.engine)[0] === '/a' ? '/one.xml' : '/two.xml'

  const second = await world.run()

  expect(first).toMatchObject({ submitted: 1, failed: 1 })
  expect(statusesOf(world, failed)).toEqual(['read', 'read'])
  expect(statusesOf(world, failed === '/one.xml' ? '/two.xml' : '/one.xml')).toEqual([
    'read',
    'not-modified',
  ])
  expect(second).toMatchObject({ status: 'succeeded', total: 2, new: 1, submitted: 1 })
})

scenario('S07', 'pages of files that did not change never count as vanished', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
    '/one.xml': { headers: { etag: '"1"' }, body: sitemapOf(paths(3)) },
    '/two.xml': sitemapOf(paths(3, 3)),
  })
  await world.addSite({ submitDeleted: true })
  await world.run()

  world.site.put({ '/two.xml': sitemapOf(paths(2, 3)) })
  world.clock.advance(days(1))
  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', total: 5, deleted: 1 })
  expect(sentTo(world.engine).slice(6)).toEqual(['/p/5'])
})

scenario(
  'S07',
  'a page that left a file while another could not be read is missed later',
  async () => {
    const world = await openWorld({ env: { SITEMAP_RETRY_MS: '0' } })
    const one = (list: string[], etag: string) => ({ headers: { etag }, body: sitemapOf(list) })
    world.site.put({
      '/sitemap.xml': sitemapIndex('{origin}/one.xml', '{origin}/two.xml'),
      '/one.xml': one(['/a', '/b', '/left'], '"1"'),
      '/two.xml': sitemapOf(['/c', '/d']),
    })
    await world.addSite({ submitDeleted: true })
    await world.run()
    world.site.put({ '/one.xml': one(['/a', '/b'], '"2"'), '/two.xml': { status: 500 } })
    const incomplete = await world.run()

    world.site.put({ '/two.xml': sitemapOf(['/c', '/d']) })
    const whole = await world.run()

    expect(incomplete).toMatchObject({ status: 'partial', deleted: 0 })
    expect(whole).toMatchObject({ status: 'succeeded', total: 4, deleted: 1 })
    expect(sentTo(world.engine).slice(5)).toEqual(['/left'])
  },
)
