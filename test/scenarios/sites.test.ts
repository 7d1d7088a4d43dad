import { expect } from 'vitest'
import { scenario } from '../support/scenario.ts'
import { KEY, openWorld, paths, sitemapOf } from '../support/world.ts'
import { runsOf, webhookOf } from './support.ts'

scenario('R01', 'a site is added, listed, changed and looked at, its secrets masked', async () => {
  const world = await openWorld()
  const webhook = await webhookOf(world)
  const id = await world.addSite({
    ...{ name: 'Shop', webhookUrl: webhook.url, bingEnabled: true, bingApiKey: 'bing-canary-key' },
  })

  const changed = await world.api('PUT', `/api/sites/${id}`, { name: 'Store', cacheTtlDays: 7 })
  const shown = await world.api('GET', `/api/sites/${id}`)
  const listed = await world.api('GET', '/api/sites')
  const sentBack = await world.api('PUT', `/api/sites/${id}`, shown.body['site'])

  const site = {
    ...{ id: world.site.host, name: 'Store', enabled: true, cacheTtlDays: 7, submitMode: 'auto' },
    ...{ apiKey: '****', bingApiKey: '****', webhookUrl: '****', bingDailyQuota: 100 },
    keyLocation: world.site.url('/****.txt'),
  }
  expect([changed.status, shown.status, listed.status, sentBack.status]).toEqual([
    200, 200, 200, 200,
  ])
  expect(shown.body['site']).toMatchObject(site)
  expect(changed.body['site']).toEqual(shown.body['site'])
  expect(listed.body['sites']).toEqual([shown.body['site']])
  const everything = JSON.stringify([changed, shown, listed, sentBack, world.logs])
  for (const secret of [KEY, 'bing-canary-key', 'webhook-canary']) {
    expect(everything).not.toContain(secret)
  }
})

scenario('R01', 'a site that was looked at and sent back still has its secrets', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
  const id = await world.addSite()
  const shown = await world.api('GET', `/api/sites/${id}`)
  await world.api('PUT', `/api/sites/${id}`, shown.body['site'])

  const run = await world.run()

  expect(run).toMatchObject({ status: 'succeeded', submitted: 1, warnings: [] })
  expect(world.engine.complaints).toEqual([])
})

scenario(
  'R01',
  'a site that is removed is forgotten, and begins anew when added again',
  async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const id = await world.addSite()
    const { id: runId } = await world.run()

    const removed = await world.api('DELETE', `/api/sites/${id}`)
    const gone = await Promise.all(
      [`/api/sites/${id}`, `/api/sites/${id}/runs`, `/status?site=${id}`, `/api/runs/${runId}`].map(
        (path) => world.api('GET', path),
      ),
    )
    await world.addSite()
    const run = await world.run()

    expect(removed.status).toBe(200)
    expect(gone.map(({ status }) => status)).toEqual([404, 404, 404, 404])
    expect(gone[0]?.body.error).toEqual({
      code: 'NOT_FOUND',
      message: `There is no site "${id}". GET /api/sites lists those there are.`,
      retryable: false,
    })
    expect(run).toMatchObject({ new: 2, cached: 0, submitted: 2 })
    expect(await runsOf(world, id)).toHaveLength(1)
  },
)

scenario('R01', 'a site is not removed in the middle of its run', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
  const id = await world.addSite({ maxConcurrentRequests: 1 })
  const arrival = world.engine.arrival()
  const running = world.api('POST', '/trigger?wait=true')
  await arrival

  const refused = await world.api('DELETE', `/api/sites/${id}`)
  await running
  const removed = await world.api('DELETE', `/api/sites/${id}`)

  expect(refused.status).toBe(409)
  expect(refused.body.error).toMatchObject({
    code: 'LOCKED',
    retryable: true,
    message: `A run of ${id} is going on. Wait for it to end, then remove the site; GET /status?site=${encodeURIComponent(id)} shows how far it is.`,
  })
  expect(removed.status).toBe(200)
})

scenario(
  'R01',
  'one site may come from the environment, and stays what the API made of it',
  async () => {
    const world = await openWorld()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const env = {
      SITEMAP_URL: world.site.url('/sitemap.xml'),
      INDEXNOW_API_KEY: KEY,
      INDEXNOW_SEARCH_ENGINES: world.engine.endpoint,
    }
    await world.restart(env)
    await world.side.start()
    const id = world.site.host
    await world.api('PUT', `/api/sites/${id}`, { cacheTtlDays: 5 })

    await world.restart(env)
    await world.side.start()
    const run = await world.run()

    expect(run).toMatchObject({ siteId: id, submitted: 2 })
    const shown = await world.api('GET', `/api/sites/${id}`)
    expect(shown.body['site']).toMatchObject({ cacheTtlDays: 5, apiKey: '****' })
  },
)
