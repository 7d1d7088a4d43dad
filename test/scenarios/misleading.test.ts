import { expect } from 'vitest'
import { days, hours } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf } from '../support/world.ts'

/** What the outside says is not always what it means. */

scenario('S07', 'a page added on the day that the index names is found all the same', async () => {
  const world = await openWorld({ start: '2025-01-15T12:00:00Z' })
  const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{origin}/a.xml</loc><lastmod>2025-01-15</lastmod></sitemap></sitemapindex>`
  world.site.put({ '/sitemap.xml': index, '/a.xml': sitemapOf(paths(2)) })
  await world.addSite()
  await world.run()

  world.site.put({ '/a.xml': sitemapOf(paths(3)) })
  world.clock.advance(hours(13))
  const next = await world.run()

  expect(next).toMatchObject({ total: 3, new: 1, submitted: 1 })
})

scenario(
  'S07',
  'a file is passed over once the day that its index names was over when it was read',
  async () => {
    const world = await openWorld({ start: '2025-01-20T12:00:00Z' })
    const index = `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"><sitemap><loc>{origin}/a.xml</loc><lastmod>2025-01-15</lastmod></sitemap></sitemapindex>`
    world.site.put({ '/sitemap.xml': index, '/a.xml': sitemapOf(paths(2)) })
    await world.addSite()
    await world.run()
    const asked = world.site.asked().filter((path) => path === '/a.xml').length

    world.clock.advance(days(1))
    const next = await world.run()

    expect(next).toMatchObject({ status: 'succeeded', total: 2, new: 0 })
    expect(world.site.asked().filter((path) => path === '/a.xml')).toHaveLength(asked)
  },
)

scenario(
  'S26',
  'URLs that an engine rejects while it rejects everything are sent again',
  async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
    await world.addSite()
    world.engine.always(answers(422))
    const rejected = await world.run()

    world.engine.always()
    world.clock.advance(days(1))
    const next = await world.run()

    expect(rejected).toMatchObject({ status: 'failed', submitted: 0, failed: 3 })
    expect(next).toMatchObject({ status: 'succeeded', new: 3, submitted: 3 })
  },
)

scenario(
  'S13',
  'a robots.txt that fails makes the reading incomplete: nothing counts as deleted',
  async () => {
    const world = await openWorld()
    world.site.put({
      '/robots.txt': 'Sitemap: /all.xml',
      '/all.xml': sitemapOf(paths(5)),
      '/sitemap.xml': sitemapOf(paths(3)),
    })
    await world.addSite({ sitemapUrl: world.site.url('/') })
    await world.run()

    world.site.put({ '/robots.txt': { status: 503 } })
    world.clock.advance(days(1))
    const broken = await world.run()
    world.site.put({ '/robots.txt': 'Sitemap: /all.xml' })
    world.clock.advance(days(1))
    const mended = await world.run()

    expect(broken).toMatchObject({ status: 'partial', submitted: 0 })
    expect(broken.errors.join()).toContain('/robots.txt')
    expect(mended).toMatchObject({ status: 'succeeded', total: 5, new: 0 })
  },
)

scenario('S10', 'a lastmod in the future hides no later change', async () => {
  const world = await openWorld({ start: '2025-01-15T12:00:00Z' })
  world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2052-01-01']]) })
  await world.addSite()
  await world.run()

  world.clock.advance(days(1))
  world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-16T09:00:00Z']]) })
  const next = await world.run()

  expect(next).toMatchObject({ new: 1, submitted: 1 })
})

scenario('R01', 'a site that has had too many engines says what to do', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
  const id = await world.addSite()
  const names = Array.from({ length: 31 }, (_, n) => `https://engine-${n}.example/indexnow`)
  await world.stores.ledger.numberEngines(id, names)

  const run = await world.run()

  expect(run).toMatchObject({ status: 'failed', submitted: 0 })
  expect(run.errors.join()).toMatch(/more than 31 engines.*Remove the site and add it again/)
})

scenario('R07', 'takes 10,000 URLs of any length', async () => {
  const world = await openWorld()
  await world.addSite()
  const long = 'x'.repeat(400)

  const answer = await world.api('POST', '/api/urls', {
    urls: paths(10_000).map((path) => world.site.url(`${path}-${long}`)),
  })

  expect(answer).toMatchObject({ status: 200, body: { submitted: 10_000, failed: 0 } })
})

scenario(
  'S26',
  'waits out a 429 three times at most, however many retries are allowed',
  async () => {
    const world = await openWorld({ env: { RUN_BUDGET_MS: '86400000' } })
    world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
    await world.addSite({ maxRetries: 10 })
    world.engine.always(answers(429))

    await world.run()

    expect(world.engine.requests).toHaveLength(4)
  },
)
