import { describe, expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCandidates,
  COLLECT_BACKENDS,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { claim, failed, note } from './collect-steps.ts'

describe.each(COLLECT_BACKENDS)('locks on $name', (backend) => {
  scenario('C03', 'of five who start a workflow at once exactly one gets it', async () => {
    const world = await openCollectWorld(backend)
    const other = await world.another()

    const asked = await Promise.all(
      [world, other, world, other, world].map((server) =>
        server.ask('POST', '/v1/executions', { workflow_name: 'collect' }, { as: 'collect' }),
      ),
    )

    const started = asked.filter(({ status }) => status === 201)
    const refused = asked.filter(({ status }) => status === 409)
    expect([started.length, refused.length]).toEqual([1, 4])
    const [{ executionId: holder } = { executionId: '' }] = await world.stores.executions.list(1)
    expect(started[0]?.body.data).toMatchObject({
      fence: 1,
      expires_at: new Date(world.clock.now() + minutes(30)).toISOString(),
    })
    for (const { body } of refused) {
      expect(body).toMatchObject({
        success: false,
        data: { holder, heartbeat_at: new Date(world.clock.now()).toISOString() },
        error: { code: 'LOCKED' },
      })
    }
  })

  scenario('C03', 'a write with an old lock is refused and changes nothing', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 2)
    const late = await startExecution(world)
    await claim(world, late.execution_id)
    world.clock.advance(minutes(30))
    const current = await startExecution(world)
    await claim(world, current.execution_id)

    const { execution_id } = late
    const refused = [
      await world.ask('POST', '/v1/candidates/complete', { execution_id, items: [note(0)] }),
      await world.ask('POST', '/v1/candidates/fail', { execution_id, items: [failed(0)] }),
      await world.ask('POST', '/v1/candidates/claim', { execution_id }),
      await world.ask('PUT', `/v1/executions/${execution_id}/heartbeat`),
      await world.ask('POST', `/v1/executions/${execution_id}/finish`, { status: 'completed' }),
      await world.ask('POST', '/v1/candidates/complete', {
        execution_id: current.execution_id,
        fence: late.fence,
        items: [note(0)],
      }),
    ]

    expect(current.fence).toBe(late.fence + 1)
    for (const { status, body } of refused) {
      expect([status, body.error?.code, body.error?.retryable]).toEqual([409, 'LOCK_LOST', false])
    }
    expect(await world.data('GET', '/v1/sources')).toMatchObject({ sources: [] })
    const { counts } = await world.data<{ counts: object }>('GET', '/v1/candidates')
    expect(counts).toMatchObject({ processing: 2, failed: 0 })
  })

  scenario('C04', 'two workflows never hold the same record; ten at a time', async () => {
    const world = await openCollectWorld(backend)
    const other = await world.another()
    await addCandidates(world, 25)
    const one = await startExecution(world, 'one')
    const two = await startExecution(other, 'two')

    const claims = await Promise.all([
      claim(world, one.execution_id),
      claim(other, two.execution_id),
      claim(world, one.execution_id),
    ])

    const counts = claims.map(({ locked_count }) => locked_count)
    expect(counts.toSorted((a, b) => a - b)).toEqual([5, 10, 10])
    const ids = claims.flatMap(({ records }) => records.map(({ note_id }) => note_id))
    expect(new Set(ids).size).toBe(25)
  })

  scenario('C11', 'a candidate is tried three times and then failed', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const { execution_id } = await startExecution(world)

    const states: unknown[] = []
    for (let attempt = 0; attempt < 3; attempt++) {
      await claim(world, execution_id)
      const { items } = await world.data<{ items: { status: string }[] }>(
        'POST',
        '/v1/candidates/fail',
        { execution_id, items: [failed(0)] },
      )
      states.push(items[0]?.status)
    }

    expect(states).toEqual(['pending', 'pending', 'failed'])
    expect((await claim(world, execution_id)).locked_count).toBe(0)
    expect(await world.data('GET', '/v1/candidates?status=failed')).toMatchObject({
      candidates: [{ retry_count: 3, last_error_code: 'PLATFORM_ERROR' }],
    })
  })

  scenario('C05', 'a silent execution is timed out and its records come back', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 3)
    const { execution_id } = await startExecution(world)
    await claim(world, execution_id, 2)
    world.clock.advance(minutes(29))
    await world.data('PUT', `/v1/executions/${execution_id}/heartbeat`)

    world.clock.advance(minutes(29))
    const early = await world.data('POST', '/v1/recover')
    world.clock.advance(minutes(1))
    const late = await world.data('POST', '/v1/recover')

    const nothing = { executions_timed_out: 0, records_released: 0, records_failed: 0 }
    expect(early).toEqual(nothing)
    expect(late).toEqual({ executions_timed_out: 1, records_released: 2, records_failed: 0 })
    expect(await world.data('GET', '/v1/executions')).toMatchObject({
      executions: [{ execution_id, status: 'timeout', expires_at: null }],
    })
    const { records } = await claim(world, (await startExecution(world)).execution_id)
    expect(records.map(({ retry_count }) => retry_count)).toEqual([1, 1, 0])
  })

  scenario('C05', 'the third time-out fails a record', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)

    const recovered: unknown[] = []
    for (let round = 0; round < 3; round++) {
      const { execution_id } = await startExecution(world)
      await claim(world, execution_id)
      world.clock.advance(minutes(30))
      recovered.push(await world.data('POST', '/v1/recover'))
    }

    expect(recovered.at(-1)).toMatchObject({ records_released: 0, records_failed: 1 })
  })

  scenario('C05', 'a settled time-out is as short as the operator says', async () => {
    const world = await openCollectWorld(backend, { env: { LOCK_TIMEOUT_MINUTES: '0.05' } })
    await startExecution(world)

    world.clock.advance(3_000)
    const next = await startExecution(world)

    expect(next.fence).toBe(2)
  })

  scenario('C13', 'what an execution does not hold fails for itself', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 2)
    const { execution_id } = await startExecution(world)
    await claim(world, execution_id, 1)

    const { status, body } = await world.ask('POST', '/v1/candidates/complete', {
      execution_id,
      items: [note(0), note(1)],
    })

    expect(status).toBe(207)
    expect(body).toMatchObject({
      success: false,
      data: {
        items: [
          { success: true, action: 'created' },
          { success: false, error: { code: 'LOCK_LOST', retryable: false } },
        ],
        summary: { total: 2, succeeded: 1, failed: 1 },
      },
      error: { code: 'PARTIAL_FAIL', retryable: false },
    })
  })
})
