import { expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { forbids } from '../support/stand-ins/indexnow-engine.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { KEY, openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { anotherEngine, sentTo, statesOf } from './support.ts'

const hook = (world: World, urls: readonly string[]) => world.api('POST', '/api/urls', { urls })

scenario('R07', 'a list is submitted at once, each URL of it accounted for', async () => {
  const world = await openWorld()
  await world.addSite()
  const page = world.site.url('/a')

  const answer = await hook(world, [
    page,
    `${page}#top`,
    world.site.url('/b'),
    'https://elsewhere.example/c',
    'javascript:alert(1)',
    '/relative',
    `${page}?${'x'.repeat(3_000)}`,
  ])

  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ success: true, submitted: 2, skipped: 1, failed: 0 })
  expect(answer.body['invalid']).toEqual([
    { url: 'https://elsewhere.example/c', reason: `It is not on ${world.site.host}.` },
    { url: 'javascript:alert(1)', reason: 'Only http and https addresses can be submitted.' },
    { url: '/relative', reason: 'It is not a whole URL, such as https://example.com/page.' },
    {
      url: `${page}?${'x'.repeat(3_000)}`,
      reason: 'It is longer than 2,048 characters.',
    },
  ])
  expect(sentTo(world.engine)).toEqual(['/a', '/b'])
})

scenario('R07', 'what was accepted is not sent again within ten minutes', async () => {
  const world = await openWorld()
  await world.addSite()
  await hook(world, [world.site.url('/a')])

  world.clock.advance(minutes(9))
  const early = await hook(world, [world.site.url('/a'), world.site.url('/b')])
  world.clock.advance(minutes(1))
  const late = await hook(world, [world.site.url('/a')])

  expect(early.body).toMatchObject({ submitted: 1, skipped: 1 })
  expect(late.body).toMatchObject({ submitted: 1, skipped: 0 })
  expect(world.engine.sentAgainTooSoon()).toEqual([])
})

scenario('R07', 'a run after the hook does not send its pages again', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-14'], '/b']) })
  const id = await world.addSite()
  await hook(world, [world.site.url('/a')])

  const run = await world.run()

  expect(run).toMatchObject({ total: 2, new: 1, cached: 1, submitted: 1 })
  expect(sentTo(world.engine)).toEqual(['/a', '/b'])
  expect(await statesOf(world, id, '/a')).toMatchObject([{ status: 'accepted' }])
})

scenario('R07', 'it works while a run goes on, and neither harms the other', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(20)) })
  const id = await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })
  const arrival = world.engine.arrival()
  const running = world.api('POST', '/trigger?wait=true')
  await arrival

  const answer = await hook(world, [world.site.url('/news')])
  const run = await running

  expect(answer.body).toMatchObject({ submitted: 1, failed: 0 })
  expect(run.body['run']).toMatchObject({ status: 'succeeded', total: 20, submitted: 20 })
  expect(await statesOf(world, id, '/news')).toMatchObject([{ status: 'accepted' }])
  expect(sentTo(world.engine).toSorted()).toEqual([...paths(20), '/news'].toSorted())
})

scenario('R07', 'what an engine refuses has failed, and the answer says why', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' } })
  const other = await anotherEngine(world)
  world.site.remove(`/${KEY}.txt`)
  const id = await world.addSite({ searchEngines: [world.engine.endpoint, other.endpoint] })
  other.always(forbids('KeyNotFound'))

  const answer = await hook(world, [world.site.url('/a')])

  expect(answer.status).toBe(200)
  expect(answer.body).toMatchObject({ submitted: 1, skipped: 0, failed: 1 })
  expect(answer.body['errors']).toEqual([
    expect.stringContaining(`${other.endpoint} answered 403 (KeyNotFound)`),
  ])
  expect(answer.body['warnings']).toEqual([expect.stringContaining('answers 404.')])
  expect(await statesOf(world, id, '/a')).toMatchObject([
    { status: 'accepted' },
    { status: 'failed', statusCode: 403 },
  ])
})

scenario('R07', 'what there was no time for has failed too, and is not left unsaid', async () => {
  const world = await openWorld({ env: { RUN_BUDGET_MS: '300' } })
  await world.addSite({ submitMode: 'get', maxConcurrentRequests: 1 })
  const urls = paths(10).map((path) => world.site.url(path))

  const answer = await hook(world, urls)

  const { submitted, failed } = answer.body as { submitted?: number; failed?: number }
  expect(submitted).toBeGreaterThan(0)
  expect([submitted, failed]).toEqual([sentTo(world.engine).length, 10 - Number(submitted)])
  expect(answer.body['warnings']).toEqual([
    `${failed} URLs were not sent to ${world.engine.endpoint}: there was no time left. Send them again in a request of their own, or use submitMode "post".`,
  ])
})

scenario('R07', 'ten thousand URLs are one list, one more is refused', async () => {
  const world = await openWorld()
  await world.addSite()
  const urls = paths(10_001).map((path) => world.site.url(path))

  const all = await hook(world, urls.slice(1))
  const tooMany = await hook(world, urls)
  const none = await hook(world, [])

  expect(all.body).toMatchObject({ submitted: 10_000 })
  expect(world.engine.requests.map(({ method }) => method)).toEqual(['POST'])
  expect([tooMany.status, none.status]).toEqual([400, 400])
  expect(tooMany.body.error?.message).toBe(
    'urls is too long: it should be a list of 1 to 10000 URLs; send the rest in a second request.',
  )
  expect(none.body.error?.message).toBe('urls is empty: it should be a list of 1 to 10000 URLs.')
})

scenario('R07', 'where there are several sites, it is told how to name one', async () => {
  const world = await openWorld()
  await world.addSite({ id: 'one' })
  await world.addSite({ id: 'two' })

  const hook = await world.api('POST', '/api/urls', { urls: ['https://example.com/'] })
  const trigger = await world.api('POST', '/trigger')

  expect([hook.status, trigger.status]).toEqual([400, 400])
  expect(hook.body.error?.message).toContain('say which, with "site" in the body.')
  expect(trigger.body.error?.message).toContain('say which, with ?site=.')
})

scenario('R08', 'what happened to a URL: where, when, and with which result', async () => {
  const world = await openWorld({ env: { MAX_RETRIES: '0' }, start: '2025-01-15T00:00:00Z' })
  const other = await anotherEngine(world)
  world.site.put({ '/sitemap.xml': sitemapOf([['/a', '2025-01-10']]) })
  const id = await world.addSite({ searchEngines: [world.engine.endpoint, other.endpoint] })
  other.always(answers(503))
  await world.run()

  const states = await statesOf(world, id, '/a#top')
  const never = await statesOf(world, id, '/unheard-of')
  const nonsense = await world.api('GET', `/api/sites/${id}/urls?url=nonsense`)
  const nothing = await world.api('GET', `/api/sites/${id}/urls`)
  const foreign = await world.api('GET', `/api/sites/${id}/urls?url=https://other.example/a`)

  const times = { submittedAt: '2025-01-15T00:00:00.000Z', lastmod: '2025-01-10T00:00:00.000Z' }
  expect(states).toMatchObject([
    { channel: 'indexnow', engine: world.engine.endpoint, status: 'accepted', statusCode: 200 },
    { channel: 'indexnow', engine: other.endpoint, status: 'failed', statusCode: 503 },
  ])
  expect(states).toMatchObject([times, { lastmod: times.lastmod }])
  expect(never).toEqual([])
  expect([nonsense.status, nothing.status, foreign.status]).toEqual([400, 400, 400])
  expect(foreign.body.error?.message).toMatch(/^It is not on 127\.0\.0\.1:\d+\. Ask the site/)
  expect(nonsense.body.error?.message).toContain('Give it whole, percent-encoded')
  expect(nothing.body.error?.message).toBe('url is missing: it should be the URL to look up.')
})
