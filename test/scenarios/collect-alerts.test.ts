import { describe, expect } from 'vitest'
import { isOfCollecting } from '../../src/collect/alerts.ts'
import { withoutChinese } from '../support/chinese.ts'
import {
  addCandidates,
  addCookie,
  COLLECT_BACKENDS,
  type CollectWorld,
  itemOf,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { numbers, passMinutes } from './collect-steps.ts'
import { until } from './support.ts'

interface Alert {
  readonly key: string
  readonly severity: string
  readonly status: string
  readonly notifications: number
  readonly title: string
  readonly cause: string
  readonly advice: string
}
const alertsOf = async (world: CollectWorld) => {
  const as = { as: 'collect' } as const
  const { alerts } = await world.data<{ alerts: Alert[] }>('GET', '/v1/alerts', undefined, as)
  const told = alerts.flatMap(({ title, cause, advice }) => [title, cause, advice])
  expect(withoutChinese(told)).toEqual([])
  return alerts
}

describe.each(COLLECT_BACKENDS)('alerts on $name', (backend) => {
  scenario('C40', 'no active cookie: raised once, repeated, cleared once', async () => {
    const world = await openCollectWorld(backend)
    world.side.start()
    await until(() => world.clock.waiting === 3)

    await passMinutes(world, 5, 3)
    const raised = await alertsOf(world)
    await passMinutes(world, 80, 3)
    const repeated = await alertsOf(world)
    await addCookie(world, 'a', sessionCookie(1))
    await passMinutes(world, 20, 3)
    const cleared = await alertsOf(world)

    expect(raised).toMatchObject([
      { key: 'no-active-cookie:xhs', severity: 'P0', status: 'firing', notifications: 1 },
    ])
    expect(repeated).toMatchObject([{ status: 'firing', notifications: 4 }])
    expect(cleared).toMatchObject([{ status: 'resolved', notifications: 5 }])
    const told = world.logs.filter(({ event }) => event.startsWith('alert.'))
    expect(told.map(({ event }) => event)).toEqual([
      'alert.raised',
      'alert.repeated',
      'alert.repeated',
      'alert.repeated',
      'alert.resolved',
    ])
  })

  scenario('C40', 'what fires is listed first, the worst of it before others', async () => {
    const world = await openCollectWorld(backend)
    const given = [
      ['a-site:1', 'P0', 'resolved'],
      ['empty-sitemap:a.example', 'P1', 'firing'],
      ['many-pending', 'P2', 'firing'],
      ['no-active-cookie:xhs', 'P0', 'firing'],
    ] as const
    for (const [key, severity, status] of given) {
      const text = { title: '', cause: '', advice: '' }
      const state = { key, severity, status, ...text, since: 0, notifications: 1 }
      await world.stores.alerts.move(key, () => ({ state }), world.clock.now())
    }

    const { alerts } = await world.data<{ alerts: Alert[] }>('GET', '/v1/alerts')
    const listed = alerts.map(({ key }) => key)

    const firing = ['no-active-cookie:xhs', 'empty-sitemap:a.example', 'many-pending']
    expect(listed).toEqual([...firing, 'a-site:1'])
    expect(listed.filter(isOfCollecting)).toEqual(['no-active-cookie:xhs', 'many-pending'])
  })

  scenario('C40', 'every cookie at its daily limit is told, until the next day', async () => {
    const world = await openCollectWorld(backend, { start: '2025-01-15T23:30:00Z' })
    await addCookie(world, 'a', sessionCookie(1), { daily_limit: 1 })
    await addCookie(world, 'b', sessionCookie(2), { daily_limit: 1 })
    await world.data('POST', '/v1/cookies/b/disable')
    world.side.start()
    await until(() => world.clock.waiting === 3)
    await passMinutes(world, 5, 3)
    const before = await alertsOf(world)

    await world.ask('POST', '/v1/notes/detail', { items: [itemOf(world, 0)] })
    await passMinutes(world, 5, 3)
    const raised = await alertsOf(world)
    await passMinutes(world, 30, 3)

    expect(before).toEqual([])
    expect(raised).toMatchObject([
      {
        key: 'no-active-cookie:xhs',
        severity: 'P0',
        status: 'firing',
        title: 'xhs: every active cookie has reached its daily limit',
        cause: 'Of 2: 1 active and used up, 1 disabled.',
      },
    ])
    expect(await alertsOf(world)).toMatchObject([{ status: 'resolved' }])
  })

  scenario('C40', 'what is brought does not hide what cannot be collected', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    await addCandidates(world, 20)
    const { execution_id } = await startExecution(world)
    await world.data('POST', '/v1/candidates/claim', { execution_id, batch_size: 20 })
    const failed = { platform: 'xhs', error_code: 'NETWORK_ERROR' }
    const items = numbers(20).map((n) => ({ ...failed, note_id: noteIdOf(n) }))
    await world.data('POST', '/v1/candidates/fail', { execution_id, items })
    world.side.start()
    await until(() => world.clock.waiting === 3)

    for (const round of numbers(4)) {
      for (const part of [0, 1]) {
        const lines = numbers(100).map((n) => `{"note_id":"${round}-${part}-${n}","title":"x"}`)
        await world.data('POST', '/v1/import', { lines })
      }
      await world.data('PUT', `/v1/executions/${execution_id}/heartbeat`)
      await passMinutes(world, 5, 3)
    }

    expect(await alertsOf(world)).toMatchObject([{ key: 'success-rate', status: 'firing' }])
  })

  scenario('C40', 'a low success rate and a long queue are told when they last', async () => {
    const world = await openCollectWorld(backend)
    await addCookie(world, 'a', sessionCookie(1))
    const many = numbers(501).map((n) => ({
      platform: 'xhs',
      noteId: noteIdOf(n),
      noteUrl: world.xhs.linkTo(noteIdOf(n)),
    }))
    await world.stores.candidates.add(many, { requestId: 'r' })
    const { execution_id } = await startExecution(world)
    const failThree = async () => {
      const { records } = await world.data<{ records: { note_id: string }[] }>(
        'POST',
        '/v1/candidates/claim',
        { execution_id, batch_size: 20 },
      )
      const keys = records.map(({ note_id }) => ({ platform: 'xhs', note_id }))
      await world.data('POST', '/v1/candidates/complete', {
        execution_id,
        items: keys.slice(3).map((key) => ({ ...key, note: {} })),
      })
      await world.data('POST', '/v1/candidates/fail', {
        execution_id,
        items: keys.slice(0, 3).map((key) => ({ ...key, error_code: 'NETWORK_ERROR' })),
      })
      await world.stores.candidates.add(
        numbers(20).map((n) => ({
          platform: 'xhs',
          noteUrl: 'u',
          noteId: `${world.clock.now()}-${n}`,
        })),
        { requestId: 'r' },
      )
    }
    world.side.start()
    await until(() => world.clock.waiting === 3)

    const seen: string[][] = []
    for (let round = 0; round < 8; round++) {
      await failThree()
      await passMinutes(world, 5, 3)
      seen.push((await alertsOf(world)).map(({ key, severity }) => `${severity} ${key}`))
    }

    expect(seen.slice(0, 2)).toEqual([[], []])
    expect(seen[2]).toEqual(['P1 success-rate'])
    expect(seen[5]).toEqual(['P1 success-rate'])
    expect(seen[6]).toEqual(['P1 success-rate', 'P2 many-pending'])
  })
})
