import { describe, expect } from 'vitest'
import {
  addCandidates,
  candidateOf,
  COLLECT_BACKENDS,
  noteIdOf,
  openCollectWorld,
  startExecution,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'
import { claim, note } from './collect-steps.ts'

describe.each(COLLECT_BACKENDS)('what is written on $name', (backend) => {
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
})
