import { describe, expect } from 'vitest'
import {
  candidateOf,
  COLLECT_BACKENDS,
  noteIdOf,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { failed } from './collect-steps.ts'

describe.each(COLLECT_BACKENDS)('answers on $name', (backend) => {
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
})
