import { describe, expect, onTestFinished } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCandidates,
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { openSite, type SiteStandIn } from '../support/stand-ins/site.ts'
import { answers, breaks, USUAL } from '../support/stand-ins/stand-in.ts'
import { numbers, passMinutes } from './collect-steps.ts'
import { until } from './support.ts'

/** Three pages of a site of their own. */
async function pagesFor({ clock }: CollectWorld): Promise<SiteStandIn> {
  const page = { headers: { 'content-type': 'text/html' }, body: '<title>a page</title>' }
  const site = await openSite({ clock, files: { '/0': page, '/1': page, '/2': page } })
  onTestFinished(() => site.close())
  return site
}

const candidatesIn = async (world: CollectWorld) => world.stores.candidates.count()

/** More than one request may bring. */
const addMany = ({ stores, xhs }: CollectWorld, count: number) =>
  stores.candidates.add(
    numbers(count).map((n) => ({
      platform: 'xhs',
      noteId: noteIdOf(n),
      noteUrl: xhs.linkTo(noteIdOf(n)),
    })),
    { requestId: 'r' },
  )

describe.each(COLLECT_BACKENDS)('the schedule on $name', (backend) => {
  scenario(
    'C31',
    'the server collects by itself, and what fails is tried another time',
    async () => {
      const world = await openCollectWorld(backend, {
        env: { COLLECT_SCHEDULE: '*/5 * * * *', COLLECT_HOST_INTERVAL_MS: '10' },
      })
      await addCookie(world, 'a', sessionCookie(1))
      await addCandidates(world, 25)
      await world.stores.candidates.add(
        [{ platform: 'xhs', noteId: noteIdOf(700), noteUrl: world.xhs.linkTo(noteIdOf(700)) }],
        { requestId: 'r' },
      )
      world.side.start()
      await until(() => world.clock.waiting === 4)

      const after: unknown[] = []
      const finished = () => world.logs.filter(({ event }) => event === 'collect.finished').length
      for (let round = 1; round <= 3; round++) {
        world.clock.advance(minutes(5))
        await until(() => finished() === round && world.clock.waiting === 4)
        after.push(await candidatesIn(world))
      }

      expect(after).toEqual([
        { pending: 1, processing: 0, collected: 25, failed: 0 },
        { pending: 1, processing: 0, collected: 25, failed: 0 },
        { pending: 0, processing: 0, collected: 25, failed: 1 },
      ])
      const executions = await world.stores.executions.list(9)
      expect(executions.map(({ status }) => status)).toEqual([
        'completed',
        'completed',
        'completed',
      ])
      expect(executions.at(-1)).toMatchObject({ itemsProcessed: 25, itemsFailed: 1 })
    },
  )

  scenario('C31', 'without a cookie nothing is tried, and no attempt is spent', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_SCHEDULE: '*/5 * * * *' } })
    await addCandidates(world, 12)
    world.side.start()
    await until(() => world.clock.waiting === 4)

    await passMinutes(world, 5, 4)

    const candidates = await world.stores.candidates.list(undefined, 99)
    expect(candidates.every(({ retryCount }) => retryCount === 0)).toBe(true)
    expect(await candidatesIn(world)).toMatchObject({ pending: 12 })
    expect(await world.stores.executions.list(9)).toMatchObject([{ status: 'completed' }])
    expect(world.xhs.requests).toEqual([])
  })

  scenario('C31', 'what needs no cookie does not wait for what has none', async () => {
    const world = await openCollectWorld(backend)
    const site = await pagesFor(world)
    await addCandidates(world, 30)
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await world.data('POST', '/v1/candidates', { items })

    const run = await world.data('POST', '/v1/collect?wait=true')

    expect(run).toMatchObject({ created: 3, failed: 0, left_over: 10, ending: 'paused' })
    expect(await candidatesIn(world)).toMatchObject({ pending: 30, processing: 0, collected: 3 })
  })

  scenario('C11', 'what a platform that is off has costs no attempt, and waits', async () => {
    const world = await openCollectWorld(backend)
    const site = await pagesFor(world)
    await addCandidates(world, 30)
    const off = await world.another({ COLLECT_PLATFORMS: 'page,import' })
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await off.data('POST', '/v1/candidates', { items })

    const runs = [
      await off.data('POST', '/v1/collect?wait=true'),
      await off.data('POST', '/v1/collect?wait=true'),
      await off.data('POST', '/v1/collect?wait=true'),
    ]

    expect(runs[0]).toMatchObject({ created: 3, failed: 0, left_over: 10, ending: 'paused' })
    expect(runs[2]).toMatchObject({ created: 0, failed: 0, left_over: 10, ending: 'paused' })
    expect(await candidatesIn(off)).toMatchObject({ pending: 30, collected: 3, failed: 0 })
    const waiting = await off.stores.candidates.list('pending', 99)
    expect(waiting.every(({ retryCount }) => retryCount === 0)).toBe(true)
  })

  scenario('C11', 'any number of a platform that is off hides nothing behind it', async () => {
    const world = await openCollectWorld(backend)
    const site = await pagesFor(world)
    await addMany(world, 1_200)
    const off = await world.another({ COLLECT_PLATFORMS: 'page,import' })
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await off.data('POST', '/v1/candidates', { items })

    const run = await off.data('POST', '/v1/collect?wait=true')

    expect(run).toMatchObject({ created: 3, failed: 0, left_over: 10, ending: 'paused' })
    expect(await candidatesIn(off)).toMatchObject({ pending: 1_200, processing: 0, collected: 3 })
  })

  scenario('C11', 'what was given up is tried once more where somebody asks for it', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_HOST_INTERVAL_MS: '10' } })
    await addCookie(world, 'a', sessionCookie(1))
    const gone = noteIdOf(700)
    const items = [noteIdOf(0), gone].map((note_id) => ({
      platform: 'xhs',
      note_id,
      note_url: world.xhs.linkTo(note_id),
    }))
    await world.data('POST', '/v1/candidates', { items })
    for (const _attempt of numbers(3)) {
      const { execution_id } = await startExecution(world)
      await world.data('POST', '/v1/candidates/claim', { execution_id })
      const failed = items.map(({ platform, note_id }) => ({ platform, note_id }))
      await world.data('POST', '/v1/candidates/fail', {
        execution_id,
        items: failed.map((key) => ({ ...key, error_code: 'PLATFORM_ERROR' })),
      })
      await world.data('POST', `/v1/executions/${execution_id}/finish`, { status: 'completed' })
    }
    await addCandidates(world, 2)

    const usual = await candidatesIn(world)
    const run = await world.data('POST', '/v1/collect?wait=true&given_up=true')

    expect(usual).toMatchObject({ pending: 1, failed: 2 })
    expect(run).toMatchObject({ claimed: 2, created: 1, failed: 1, ending: 'nothing-left' })
    expect(await candidatesIn(world)).toMatchObject({ pending: 1, collected: 1, failed: 1 })
    expect(await world.stores.candidates.list('failed', 9)).toMatchObject([
      { noteId: gone, lastErrorCode: 'NOT_FOUND' },
    ])
  })

  scenario(
    'C05',
    'a note is written when it is there, while another is still awaited',
    async () => {
      const world = await openCollectWorld(backend, { env: { COLLECT_HOST_INTERVAL_MS: '10' } })
      await addCookie(world, 'a', sessionCookie(1))
      await addCandidates(world, 3)
      world.xhs.script(USUAL, breaks('hang'))

      await world.data('POST', '/v1/collect')
      await until(async () => (await candidatesIn(world)).collected === 1)

      const counts = await candidatesIn(world)
      expect(counts).toEqual({ pending: 0, processing: 2, collected: 1, failed: 0 })
      expect(await world.stores.sources.since(0, 9)).toHaveLength(1)
    },
  )

  scenario('C20', 'a host that rests is not claimed for, and holds up no other', async () => {
    const world = await openCollectWorld(backend, { env: { COLLECT_HOST_INTERVAL_MS: '10' } })
    const site = await pagesFor(world)
    await addCookie(world, 'a', sessionCookie(1))
    await addCandidates(world, 30)
    const items = numbers(3).map((n) => ({ platform: 'page', note_url: site.url(`/${n}`) }))
    await world.data('POST', '/v1/candidates', { items })
    world.xhs.script(answers(461))

    const run = await world.data('POST', '/v1/collect?wait=true')

    expect(run).toMatchObject({ created: 3, failed: 1, left_over: 9, ending: 'paused' })
    expect(world.xhs.requests).toHaveLength(1)
  })

  scenario(
    'C31',
    'while somebody else collects, the schedule waits for its next time',
    async () => {
      const world = await openCollectWorld(backend, { env: { COLLECT_SCHEDULE: '*/5 * * * *' } })
      const { execution_id } = await startExecution(world, 'collect')
      world.side.start()
      await until(() => world.clock.waiting === 4)

      await passMinutes(world, 5, 4)

      expect(world.logs.map(({ event }) => event)).toContain('collect.taken')
      expect(await world.stores.executions.list(9)).toMatchObject([{ executionId: execution_id }])
    },
  )

  scenario('C05', 'the server recovers every 15 minutes by itself', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const { execution_id } = await startExecution(world)
    await world.data('POST', '/v1/candidates/claim', { execution_id })
    world.side.start()
    await until(() => world.clock.waiting === 3)

    await passMinutes(world, 30, 3)

    expect(await candidatesIn(world)).toMatchObject({ pending: 1, processing: 0 })
    expect(await world.stores.executions.list(9)).toMatchObject([{ status: 'timeout' }])
  })
})
