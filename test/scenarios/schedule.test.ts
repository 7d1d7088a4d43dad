import { expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { scenario } from '../support/scenario.ts'
import { breaks } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import {
  anotherSite,
  bingOf,
  leaveDeadRun,
  passTo,
  runsOf,
  sentTo,
  startSchedule,
} from './support.ts'

const EVENING = '2025-01-15T22:00:00Z'
const MIDNIGHT = '2025-01-16T00:00:00Z'

async function eveningWithSite(settings = {}) {
  const world = await openWorld({ start: EVENING })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
  const id = await world.addSite(settings)
  return { world, id }
}

/** The server starts, finds the run that it missed, and is told to end in the middle of it. */
async function breakOffAtStart(world: World) {
  world.engine.always(breaks('hang'))
  const arrival = world.engine.arrival()
  await world.side.start()
  await arrival
  await world.restart()
  world.engine.always()
}

scenario('R02', 'every enabled site is run at midnight UTC, day after day', async () => {
  const { world, id } = await eveningWithSite()
  await world.addSite({ id: 'off', enabled: false })
  await startSchedule(world)

  await passTo(world, MIDNIGHT)
  await passTo(world, '2025-01-17T00:00:00Z')

  expect(await runsOf(world, id)).toMatchObject([
    { trigger: 'schedule', startedAt: '2025-01-17T00:00:00.000Z', new: 0, cached: 2 },
    { trigger: 'schedule', startedAt: '2025-01-16T00:00:00.000Z', status: 'succeeded', new: 2 },
  ])
  expect(await runsOf(world, 'off')).toEqual([])
})

scenario('R02', 'CRON_SCHEDULE says when', async () => {
  const world = await openWorld({ start: EVENING, env: { CRON_SCHEDULE: '30 23 * * *' } })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
  const id = await world.addSite()
  await startSchedule(world)

  await passTo(world, '2025-01-15T23:30:00Z')

  expect(await runsOf(world, id)).toMatchObject([{ startedAt: '2025-01-15T23:30:00.000Z' }])
})

scenario('R02', 'a site that cannot be reached harms no other', async () => {
  const { world, id } = await eveningWithSite()
  const broken = await anotherSite(world)
  broken.always(breaks('reset'))
  await world.addSite({ id: 'broken', sitemapUrl: broken.url('/sitemap.xml') })
  await startSchedule(world)

  await passTo(world, MIDNIGHT)

  expect(await runsOf(world, id)).toMatchObject([{ status: 'succeeded', submitted: 2 }])
  const [failed] = await runsOf(world, 'broken')
  expect(failed).toMatchObject({ status: 'failed', total: 0, submitted: 0 })
  expect(failed?.errors).toEqual([expect.stringContaining(broken.url('/sitemap.xml'))])
})

scenario('R02', 'a midnight that was missed is made up for once after the restart', async () => {
  const { world, id } = await eveningWithSite()
  await startSchedule(world)

  await world.restart()
  world.clock.advanceTo('2025-01-16T09:00:00Z')
  await startSchedule(world)
  await world.restart()
  await startSchedule(world)
  await passTo(world, '2025-01-17T00:00:00Z')

  expect(await runsOf(world, id)).toMatchObject([
    { trigger: 'schedule', startedAt: '2025-01-17T00:00:00.000Z' },
    { trigger: 'schedule', startedAt: '2025-01-16T09:00:00.000Z' },
  ])
})

scenario(
  'R02',
  'a server that starts in the very second of the schedule does not miss it',
  async () => {
    const { world, id } = await eveningWithSite()
    world.clock.advanceTo('2025-01-16T00:00:00.400Z')

    await startSchedule(world)

    expect(await runsOf(world, id)).toMatchObject([{ startedAt: '2025-01-16T00:00:00.400Z' }])
  },
)

scenario('R02', 'a site that was added after the missed midnight waits for the next', async () => {
  const { world, id } = await eveningWithSite()
  world.clock.advanceTo('2025-01-16T09:00:00Z')
  await world.addSite({ id: 'young' })

  await startSchedule(world)
  const atNine = [await runsOf(world, id), await runsOf(world, 'young')]
  await passTo(world, '2025-01-17T00:00:00Z')

  expect(atNine).toMatchObject([[{ startedAt: '2025-01-16T09:00:00.000Z' }], []])
  expect(await runsOf(world, 'young')).toMatchObject([{ startedAt: '2025-01-17T00:00:00.000Z' }])
})

scenario(
  'R02',
  'a run that the end of the server broke off goes on after the restart',
  async () => {
    const { world, id } = await eveningWithSite()
    world.clock.advanceTo(MIDNIGHT)
    await breakOffAtStart(world)

    await startSchedule(world)
    await world.restart()
    await startSchedule(world)

    expect(await runsOf(world, id)).toMatchObject([
      { trigger: 'schedule', status: 'succeeded', submitted: 2 },
      { trigger: 'schedule', status: 'interrupted' },
    ])
  },
)

scenario('R02', 'a run that is broken off three times waits for the next midnight', async () => {
  const { world, id } = await eveningWithSite({ submitMode: 'post' })
  world.clock.advanceTo('2025-01-16T09:00:00Z')
  for (let start = 0; start < 3; start++) await breakOffAtStart(world)

  await startSchedule(world)
  const begun = (await runsOf(world, id)).map(({ status }) => status)
  await passTo(world, '2025-01-17T00:00:00Z')

  expect(begun).toEqual(['interrupted', 'interrupted', 'interrupted'])
  expect(await runsOf(world, id)).toHaveLength(4)
})

scenario('R02', 'by hand a run may be for one channel', async () => {
  const { world, id } = await eveningWithSite()
  const bing = await bingOf({
    clock: world.clock,
    apiKey: 'bing-key',
    sites: [{ url: world.site.origin, dailyQuota: 100 }],
  })
  await world.restart({ BING_API_URL: bing.apiUrl })
  await world.api('PUT', `/api/sites/${id}`, { bingEnabled: true, bingApiKey: 'bing-key' })

  const indexnow = await world.run('channel=indexnow')
  const sent = [sentTo(world.engine).length, bing.accepted.length]
  const onlyBing = await world.run('channel=bing')
  const all = await world.run('channel=all')

  expect(indexnow).toMatchObject({ trigger: 'manual', submitted: 2 })
  expect(indexnow.bing).toBeUndefined()
  expect(sent).toEqual([2, 0])
  expect(onlyBing).toMatchObject({ new: 2, engines: [], bing: { total: 2, successful: 2 } })
  expect(all).toMatchObject({ new: 0, submitted: 0, bing: { total: 0 } })
  expect([sentTo(world.engine).length, bing.accepted.length]).toEqual([2, 2])
})

scenario('R02', 'a site without Bing cannot be run for Bing', async () => {
  const { world, id } = await eveningWithSite()

  const refused = await world.api('POST', '/trigger?channel=bing')
  const unknown = await world.api('POST', '/trigger?channel=google')

  expect(refused.status).toBe(400)
  expect(refused.body.error).toEqual({
    code: 'INVALID_INPUT',
    message: `Bing submission is not enabled for this site. Set bingEnabled and bingApiKey with PUT /api/sites/${id}.`,
    retryable: false,
  })
  expect(unknown.status).toBe(400)
  expect(unknown.body.error?.message).toBe(
    'channel is "google": it should be all, indexnow or bing.',
  )
})

scenario('R03', 'while a run goes on, a second is refused', async () => {
  const { world, id } = await eveningWithSite()
  world.engine.script(breaks('hang'))
  const arrival = world.engine.arrival()
  const first = await world.api('POST', '/trigger')
  await arrival

  const second = await world.api('POST', '/trigger')

  expect(first).toMatchObject({ status: 202 })
  expect(second.status).toBe(409)
  expect(second.body.error).toMatchObject({
    code: 'LOCKED',
    retryable: true,
    message: `A run of ${id} is going on (${String(first.body['runId'])}). Wait for it to end; GET /status?site=${id} shows how far it is.`,
  })
})

scenario('R03', 'a dead run loses its lease, and the next marks it as interrupted', async () => {
  const { world, id } = await eveningWithSite()
  await leaveDeadRun(world, id)

  const early = await world.api('POST', '/trigger')
  world.clock.advance(minutes(2))
  const run = await world.run()

  expect(early.status).toBe(409)
  expect(run).toMatchObject({ status: 'succeeded', submitted: 2 })
  expect(await runsOf(world, id)).toMatchObject([
    { id: run.id },
    { id: 'run-dead', status: 'interrupted' },
  ])
})
