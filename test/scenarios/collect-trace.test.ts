import { describe, expect } from 'vitest'
import {
  addCookie,
  candidateOf,
  COLLECT_BACKENDS,
  itemOf,
  noteIdOf,
  openCollectWorld,
  sessionCookie,
} from '../support/collect-world.ts'
import { scenario } from '../support/scenario.ts'

describe.each(COLLECT_BACKENDS)('the whole way on $name', (backend) => {
  scenario(
    'C06',
    'one id is in the log, with the platform, in exec_meta and in the outbox',
    async () => {
      const world = await openCollectWorld(backend)
      const headers = { 'x-request-id': 'n8n-collect-17' }
      await addCookie(world, 'mine', sessionCookie(1))
      await world.data('POST', '/v1/candidates', { items: [candidateOf(world, 0)] })
      const post = <T>(path: string, body: unknown) =>
        world.data<T>('POST', path, body, { headers })

      const { execution_id } = await post<{ execution_id: string }>('/v1/executions', {
        workflow_name: 'collect',
      })
      await post('/v1/candidates/claim', { execution_id })
      const { body } = await world.ask(
        'POST',
        '/v1/notes/detail',
        { items: [itemOf(world, 0)] },
        { headers },
      )
      const key = { platform: 'xhs', note_id: noteIdOf(0) }
      const items = [{ ...key, note: body.items?.[0]?.['data'] }]
      await post('/v1/candidates/complete', { execution_id, items })
      await post(`/v1/executions/${execution_id}/finish`, { status: 'completed' })

      const paths = world.logs
        .filter(
          ({ event, requestId }) => event === 'http.request' && requestId === 'n8n-collect-17',
        )
        .map(({ path }) => path)
      expect(paths).toEqual([
        '/v1/executions',
        '/v1/candidates/claim',
        '/v1/notes/detail',
        '/v1/candidates/complete',
        `/v1/executions/${execution_id}/finish`,
      ])
      expect(world.xhs.requests.at(-1)?.headers['x-request-id']).toBe('n8n-collect-17')
      const [source] = await world.stores.sources.since(0, 9)
      expect(source?.execMeta).toEqual({ execution_id, request_id: 'n8n-collect-17' })
      const [candidate] = await world.stores.candidates.list('collected', 9)
      expect(candidate?.execMeta).toEqual({ execution_id, request_id: 'n8n-collect-17' })
      const entries = await world.stores.outbox.page(99)
      expect(
        entries.filter(({ requestId }) => requestId === 'n8n-collect-17').map(({ table }) => table),
      ).toEqual(['tbl_crawl_execution', 'tbl_source', 'tbl_candidate', 'tbl_crawl_execution'])
    },
  )

  scenario(
    'C12',
    'who adds notes is told how each is known, and reads on from one of them',
    async () => {
      const world = await openCollectWorld(backend)
      const [first, second] = [candidateOf(world, 0), candidateOf(world, 1)]
      const { note_id: _, ...bare } = first

      const added = await world.data('POST', '/v1/candidates', { items: [bare, second, second] })
      const listed = await world.data<{ candidates: { note_id: string }[] }>(
        'GET',
        `/v1/candidates?after=xhs:${noteIdOf(0)}`,
      )
      const wrong = await world.ask('GET', '/v1/candidates?after=nothing')

      const keys = [0, 1, 1].map((number) => ({ platform: 'xhs', note_id: noteIdOf(number) }))
      expect(added).toEqual({ created: 2, skipped: 1, items: keys })
      expect(listed.candidates.map(({ note_id }) => note_id)).toEqual([noteIdOf(1)])
      expect([wrong.status, wrong.body.error?.code]).toEqual([400, 'INVALID_INPUT'])
    },
  )
})
