import { describe, expect } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import {
  addCandidates,
  candidateOf,
  COLLECT_BACKENDS,
  type CollectWorld,
  noteIdOf,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'

interface Claimed {
  readonly records: readonly { note_id: string; retry_count: number; exec_meta: unknown }[]
  readonly locked_count: number
}

const claim = (world: CollectWorld, execution_id: string, batch_size?: number) =>
  world.data<Claimed>('POST', '/v1/candidates/claim', { execution_id, batch_size })

const note = (number: number, more: object = {}) => ({
  platform: 'xhs',
  note_id: noteIdOf(number),
  note: { title: `note ${number}`, ...more },
})

const failed = (number: number) => ({
  platform: 'xhs',
  note_id: noteIdOf(number),
  error_code: 'PLATFORM_ERROR',
})

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

  scenario('C02', 'a note written twice is there once, and its candidate collected', async () => {
    const world = await openCollectWorld(backend)
    await addCandidates(world, 1)
    const { execution_id } = await startExecution(world)
    await claim(world, execution_id)
    const write = (items: readonly object[]) =>
      world.data('POST', '/v1/candidates/complete', { execution_id, items })

    const first = await write([note(0)])
    const second = await write([note(0, { title: 'another' })])

    expect(first).toMatchObject({ items: [{ success: true, action: 'created' }] })
    expect(second).toMatchObject({ items: [{ success: true, action: 'skipped' }] })
    expect(await world.data('GET', '/v1/sources')).toMatchObject({
      sources: [{ idempotency_key: `${noteIdOf(0)}_v1`, note: { title: 'note 0' } }],
      next: 1,
    })
    expect(await world.data('GET', '/v1/candidates?status=collected')).toMatchObject({
      candidates: [{ note_id: noteIdOf(0), status: 'collected', processing_lock: null }],
    })
    expect(await world.data('GET', '/v1/sources?since=1')).toEqual({ sources: [], next: 1 })
  })

  scenario('C02', 'the same id on two platforms is two notes', async () => {
    const world = await openCollectWorld(backend)
    const twin = { platform: 'weibo', noteId: noteIdOf(0), noteUrl: 'https://m.weibo.cn/status/1' }
    await addCandidates(world, 1)
    const added = await world.stores.candidates.add([twin], { requestId: 'r' })
    const { execution_id } = await startExecution(world)
    await claim(world, execution_id)

    const written = await world.data('POST', '/v1/candidates/complete', {
      execution_id,
      items: [note(0), { ...note(0), platform: 'weibo' }],
    })

    expect(added).toEqual({ created: 1, skipped: 0 })
    expect(written).toMatchObject({ items: [{ action: 'created' }, { action: 'created' }] })
    const { sources } = await world.data<{ sources: { idempotency_key: string }[] }>(
      'GET',
      '/v1/sources',
    )
    expect(sources.map(({ idempotency_key }) => idempotency_key).toSorted()).toEqual([
      `${noteIdOf(0)}_v1`,
      `weibo_${noteIdOf(0)}_v1`,
    ])
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

  scenario(
    'C01',
    'every change reaches the outbox in order, and leaves it when taken',
    async () => {
      const world = await openCollectWorld(backend)
      const headers = { 'x-request-id': 'flow-7' }
      const items = [candidateOf(world, 0)]
      await world.data('POST', '/v1/candidates', { items }, { headers })
      const { execution_id } = await startExecution(world)
      await claim(world, execution_id)
      const written = { execution_id, items: [note(0)] }
      await world.data('POST', '/v1/candidates/complete', written, { headers })

      interface Outbox {
        readonly entries: readonly {
          id: number
          table: string
          key: string
          request_id: string
          client_token: string
        }[]
        readonly depth: number
      }
      const { entries } = await world.data<Outbox>('GET', '/v1/outbox?limit=10')
      const ids = entries.map(({ id }) => id)
      const acknowledged = await world.data('POST', '/v1/outbox/ack', { ids: ids.slice(0, 2) })
      const left = await world.data<Outbox>('GET', '/v1/outbox')

      expect(entries.map(({ table, request_id }) => [table, request_id])).toEqual([
        ['tbl_candidate', 'flow-7'],
        ['tbl_crawl_execution', expect.any(String)],
        ['tbl_source', 'flow-7'],
        ['tbl_candidate', 'flow-7'],
      ])
      expect(ids).toEqual(ids.toSorted((a, b) => a - b))
      expect(new Set(entries.map(({ client_token }) => client_token)).size).toBe(4)
      expect(acknowledged).toEqual({ acknowledged: 2, depth: 2 })
      expect(left.entries.map(({ id }) => id)).toEqual(ids.slice(2))
    },
  )

  scenario('C06', 'a request id goes through the answer and every line', async () => {
    const world = await openCollectWorld(backend)
    const headers = { 'x-request-id': 'n8n-42' }

    const given = await world.ask('POST', '/v1/recover', undefined, { headers })
    const made = await world.ask('POST', '/v1/recover')

    expect(given.body.meta).toMatchObject({ request_id: 'n8n-42', latency_ms: expect.any(Number) })
    expect(given.headers.get('x-request-id')).toBe('n8n-42')
    expect(made.body.meta['request_id']).toMatch(/./)
    const lines = world.logs.filter(({ event }) => event === 'http.request')
    expect(lines.map((line) => line['requestId'])).toEqual(['n8n-42', made.body.meta['request_id']])
  })

  scenario('C12', 'every answer is an envelope, refusals too', async () => {
    const world = await openCollectWorld(backend)

    const good = await world.ask('GET', '/v1/adapters', undefined, { as: 'collect' })
    const bad = await world.ask('POST', '/v1/candidates/claim', { execution_id: 'nobody' })
    const broken = await world.ask('POST', '/v1/candidates/claim', '{')

    const meta = {
      request_id: expect.any(String),
      latency_ms: expect.any(Number),
      cookie_used: null,
    }
    expect(good.body).toEqual({ success: true, data: expect.any(Object), meta })
    expect(bad.body).toEqual({
      success: false,
      error: { code: 'NOT_FOUND', message: expect.stringContaining('nobody'), retryable: false },
      meta,
    })
    expect(broken.body).toMatchObject({ success: false, error: { code: 'INVALID_INPUT' }, meta })
  })

  scenario('C13', 'bad input gets its code, and nothing is written', async () => {
    const world = await openCollectWorld(backend)
    const { execution_id } = await startExecution(world)
    await world.data('POST', `/v1/executions/${execution_id}/finish`, { status: 'completed' })
    await world.data('POST', '/v1/outbox/ack', {
      ids: (await world.stores.outbox.page(9)).map(({ id }) => id),
    })
    const item = candidateOf(world, 0)
    const add = (...items: readonly object[]) =>
      world.ask('POST', '/v1/candidates', { items }, { as: 'collect' })

    const answers = {
      'no items': await add(),
      'too many': await add(...Array.from({ length: 501 }, (_, n) => candidateOf(world, n))),
      'unknown platform': await add(item, { ...item, platform: 'myspace' }),
      'platform that is off': await add(item, { ...item, platform: 'weibo' }),
      'another host': await add(item, { ...item, note_url: 'https://evil.example.com/explore/1' }),
      'another note': await add(item, { ...item, note_id: noteIdOf(1) }),
      'a field too many': await add({ ...item, cookie: 'x' }),
      'a name with a zero': await world.ask('POST', '/v1/executions', { workflow_name: 'a\0b' }),
      'half a character': await add({ ...item, source_keyword: 'a\uD83D' }),
      'a bottomless note': await world.ask(
        'POST',
        '/v1/candidates/complete',
        `{"execution_id":"${execution_id}","items":[{"platform":"xhs","note_id":"1","note":${'{"a":'.repeat(5_000)}1${'}'.repeat(5_000)}}]}`,
      ),
      'no body': await world.ask('POST', '/v1/candidates', ''),
      'batch of 0': await world.ask('POST', '/v1/candidates/claim', {
        execution_id,
        batch_size: 0,
      }),
      'finished execution': await world.ask('POST', '/v1/candidates/claim', { execution_id }),
      'unknown execution': await world.ask('POST', '/v1/candidates/claim', {
        execution_id: 'exec-none',
      }),
      'unknown code': await world.ask('POST', '/v1/candidates/fail', {
        execution_id,
        items: [{ ...failed(0), error_code: 'OOPS' }],
      }),
      'wrong state': await world.ask('GET', '/v1/candidates?status=lost'),
    }

    const codes = Object.entries(answers).map(([what, { status, body }]) => [
      what,
      status,
      body.error?.code,
    ])
    expect(codes).toEqual([
      ['no items', 400, 'INVALID_INPUT'],
      ['too many', 400, 'INVALID_INPUT'],
      ['unknown platform', 400, 'INVALID_INPUT'],
      ['platform that is off', 400, 'UNSUPPORTED_OPERATION'],
      ['another host', 400, 'INVALID_INPUT'],
      ['another note', 400, 'INVALID_INPUT'],
      ['a field too many', 400, 'INVALID_INPUT'],
      ['a name with a zero', 400, 'INVALID_INPUT'],
      ['half a character', 400, 'INVALID_INPUT'],
      ['a bottomless note', 400, 'INVALID_INPUT'],
      ['no body', 400, 'INVALID_INPUT'],
      ['batch of 0', 400, 'INVALID_INPUT'],
      ['finished execution', 409, 'LOCK_LOST'],
      ['unknown execution', 404, 'NOT_FOUND'],
      ['unknown code', 400, 'INVALID_INPUT'],
      ['wrong state', 400, 'INVALID_INPUT'],
    ])
    expect(await world.stores.candidates.list(undefined, 9)).toEqual([])
    expect(await world.stores.outbox.depth()).toBe(0)
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
