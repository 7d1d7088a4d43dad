import { expect } from 'vitest'
import { days, hours } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf } from '../support/world.ts'

scenario('S10', 'an accepted URL is not sent again for 30 days', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  await world.addSite()
  await world.run()

  world.clock.advance(days(29))
  const early = await world.run()
  world.clock.advance(days(1))
  const late = await world.run()

  expect(early).toMatchObject({ total: 3, new: 0, cached: 3, submitted: 0 })
  expect(late).toMatchObject({ total: 3, new: 3, cached: 0, submitted: 3 })
})

scenario('S10', 'a newer lastmod is sent at once, an older one is not', async () => {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapOf([
      ['/a', '2025-01-10'],
      ['/b', '2025-01-10'],
    ]),
  })
  await world.addSite()
  await world.run()

  world.site.put({
    '/sitemap.xml': sitemapOf([
      ['/a', '2025-01-10T00:00:01Z'],
      ['/b', '2025-01-09'],
    ]),
  })
  world.clock.advance(hours(1))
  const run = await world.run()

  expect(run).toMatchObject({ new: 1, submitted: 1 })
  expect(world.engine.received.get(world.site.url('/a'))?.count).toBe(2)
  expect(world.engine.received.get(world.site.url('/b'))?.count).toBe(1)
})

scenario('S11', 'what fails is remembered as failed, never as submitted', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  const id = await world.addSite({ submitMode: 'post' })
  world.engine.script(answers(503))

  const failed = await world.run()
  const lookup = await world.api(
    'GET',
    `/api/sites/${id}/urls?url=${encodeURIComponent(world.site.url('/p/1'))}`,
  )
  const next = await world.run()

  expect(failed).toMatchObject({ status: 'failed', submitted: 0, failed: 3 })
  expect(lookup.body['states']).toMatchObject([{ status: 'failed', statusCode: 503 }])
  expect(next).toMatchObject({ status: 'succeeded', new: 3, submitted: 3 })
})
