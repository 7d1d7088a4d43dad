import { describe, expect } from 'vitest'
import { utcDayOf, utcDaysUntil } from '../../src/core/utc-day.ts'
import {
  addCandidates,
  COLLECT_BACKENDS,
  type CollectWorld,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { claim, failed, note } from './collect-steps.ts'
import { until } from './support.ts'

/** Of the server's schedule, without COLLECT_SCHEDULE: n8n collects. */
const JOBS = 3

/** Lets these servers do what is due by then; they share a clock. */
async function passTo(worlds: readonly CollectWorld[], instant: string): Promise<void> {
  const [world] = worlds
  world?.clock.advanceTo(instant)
  await everyJobWaits(worlds)
}

async function start(world: CollectWorld, running: readonly CollectWorld[] = []): Promise<void> {
  world.side.start()
  await everyJobWaits([...running, world])
}

const everyJobWaits = (worlds: readonly CollectWorld[]) =>
  until(async () => {
    const [world] = worlds
    const isQuiet = world?.clock.waiting === JOBS * worlds.length
    return isQuiet && (await world.stores.leases.held()).length === 0
  })

const timesCounted = ({ logs }: CollectWorld) =>
  logs.filter(({ event }) => event === 'census.taken').map(({ time }) => time)

const taken = ({ stores, clock }: CollectWorld) =>
  stores.census.list(utcDaysUntil(utcDayOf(clock.now()), 9))

describe.each(COLLECT_BACKENDS)('the census of candidates on $name', (backend) => {
  scenario('X06', 'is taken at the start and every hour, and a day keeps its last', async () => {
    const world = await openCollectWorld(backend, { start: '2025-01-15T23:40:00Z' })
    await addCandidates(world, 9)
    await start(world)
    const atStart = await taken(world)
    const { execution_id } = await startExecution(world)
    await claim(world, execution_id, 4)
    await world.data('POST', '/v1/candidates/complete', { execution_id, items: [note(0)] })
    await world.data('POST', '/v1/candidates/fail', { execution_id, items: [failed(1)] })

    await passTo([world], '2025-01-15T23:55:00Z')
    await world.data('POST', `/v1/executions/${execution_id}/finish`, { status: 'completed' })
    await addCandidates(world, 20)
    await passTo([world], '2025-01-16T00:55:00Z')

    const nine = { pending: 9, processing: 0, collected: 0, failed: 0 }
    expect(atStart).toMatchObject([{ day: '2025-01-15', ...nine }])
    expect(await taken(world)).toMatchObject([
      { day: '2025-01-15', pending: 6, processing: 2, collected: 1, failed: 0 },
      { day: '2025-01-16', pending: 19, collected: 1 },
    ])
    const [, last] = await taken(world)
    expect(new Date(last?.countedAt ?? 0).toISOString()).toBe('2025-01-16T00:55:00.000Z')
  })

  scenario('X01', 'is taken once by two servers, also by one that comes later', async () => {
    const first = await openCollectWorld(backend, { start: '2025-01-15T10:54:00Z' })
    const second = await first.another()
    first.side.start()
    second.side.start()
    await everyJobWaits([first, second])

    await passTo([first, second], '2025-01-15T10:55:00Z')
    await passTo([first, second], '2025-01-15T10:55:30Z')
    const third = await first.another()
    await start(third, [first, second])
    await passTo([first, second, third], '2025-01-15T11:55:00Z')

    expect(timesCounted(first)).toEqual([
      '2025-01-15T10:54:00.000Z',
      '2025-01-15T10:55:00.000Z',
      '2025-01-15T11:55:00.000Z',
    ])
  })

  scenario(
    'X06',
    'a day without a server has none, and the one before is not changed',
    async () => {
      const world = await openCollectWorld(backend, { start: '2025-01-13T10:00:00Z' })
      await addCandidates(world, 2)
      await start(world)
      await world.side.stop()

      world.clock.advanceTo('2025-01-15T08:00:00Z')
      await addCandidates(world, 5)
      const later = await world.another()
      await start(later)

      expect(await taken(later)).toMatchObject([
        { day: '2025-01-13', pending: 2 },
        { day: '2025-01-15', pending: 5 },
      ])
    },
  )

  scenario('X06', 'a count of a clock that was ahead does not stop the next', async () => {
    const world = await openCollectWorld(backend, { start: '2025-01-15T10:00:00Z' })
    const ahead = Date.parse('2025-01-15T20:00:00Z')
    const counts = { pending: 99, processing: 0, collected: 0, failed: 0 }
    await world.stores.census.keep({ day: utcDayOf(ahead), countedAt: ahead, ...counts })
    await addCandidates(world, 1)

    await start(world)

    expect(await taken(world)).toMatchObject([{ day: '2025-01-15', pending: 1 }])
  })
})
