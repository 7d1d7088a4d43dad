import { describe, expect, it } from 'vitest'
import type { Stores } from '../../src/stores/stores.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const add = (stores: Stores, ...noteIds: string[]) =>
  stores.candidates.add(
    noteIds.map((noteId) => ({
      platform: 'xhs',
      noteId,
      noteUrl: `https://notes.example/${noteId}`,
    })),
    { requestId: `req-${noteIds[0]}` },
  )

export function outboxStoreContract(backend: Backend) {
  describe(`OutboxStore: ${backend.name}`, () => {
    it('gives the changes in order, each with a token of its own', async () => {
      const { stores, clock } = await begin(backend)
      await add(stores, 'n1', 'n2')
      await add(stores, 'n3')
      const entries = await stores.outbox.page(99)
      expect(entries.map(({ key }) => key)).toEqual(['xhs:n1', 'xhs:n2', 'xhs:n3'])
      expect(entries.map(({ requestId }) => requestId)).toEqual(['req-n1', 'req-n1', 'req-n3'])
      expect(new Set(entries.map(({ clientToken }) => clientToken)).size).toBe(3)
      expect(entries[0]).toMatchObject({
        table: 'tbl_candidate',
        op: 'upsert',
        createdAt: clock.now(),
        fields: { note_id: 'n1', platform: 'xhs', status: 'pending', retry_count: 0 },
      })
    })

    it('gives an entry again, with the same token, until it is acknowledged', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1', 'n2')
      const [first, second] = await stores.outbox.page(99)
      expect(await stores.outbox.page(1)).toEqual([first])
      expect(await stores.outbox.ack([first?.id ?? 0])).toBe(1)
      expect(await stores.outbox.ack([first?.id ?? 0, 999])).toBe(0)
      expect(await stores.outbox.page(99)).toEqual([second])
      expect(await stores.outbox.depth()).toBe(1)
    })

    it('never uses an id again', async () => {
      const { stores } = await begin(backend)
      await add(stores, 'n1')
      const [first] = await stores.outbox.page(9)
      await stores.outbox.ack([first?.id ?? 0])
      await add(stores, 'n2')
      const [second] = await stores.outbox.page(9)
      expect(second?.id).toBeGreaterThan(first?.id ?? 0)
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill between a change and its entries', () =>
      survivesKill(backend, {
        arrange: async () => undefined,
        act: (stores) => add(stores, 'n1', 'n2'),
        look: async ({ candidates, outbox }) => [
          (await candidates.list(undefined, 9)).map(({ noteId }) => noteId),
          (await outbox.page(9)).map(({ key }) => key),
        ],
      }),
    )
  })
}
