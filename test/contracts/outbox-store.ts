import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
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

/** Completes these, so that the outbox has the entries of that alone. */
async function collect(stores: Stores, ...noteIds: string[]) {
  const origin = { requestId: 'req-1' }
  await add(stores, ...noteIds)
  await stores.executions.acquire(
    { workflowName: 'collect', executionId: 'exec-1', timeoutMs: minutes(30) },
    origin,
  )
  await stores.candidates.claim('exec-1', noteIds.length, origin)
  const before = await stores.outbox.page(999)
  await stores.outbox.ack(before.map(({ id }) => id))
  await stores.candidates.complete(
    'exec-1',
    noteIds.map((noteId) => ({ platform: 'xhs', noteId, note: { title: noteId } })),
    origin,
  )
}

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

    it('acknowledges any of the entries of one completion, and keeps the others as they were', async () => {
      const { stores } = await begin(backend)
      await collect(stores, 'n1', 'n2', 'n3')
      const entries = await stores.outbox.page(99)
      const chosen = entries.filter((_, place) => place % 2 === 0)
      const others = entries.filter((_, place) => place % 2 === 1)

      const pages = [await stores.outbox.page(1), await stores.outbox.page(3)]
      const acknowledged = await stores.outbox.ack(chosen.map(({ id }) => id))
      const again = await stores.outbox.ack(chosen.map(({ id }) => id))

      expect(entries.map(({ key }) => key)).toEqual(
        ['n1', 'n2', 'n3'].flatMap((noteId) => [`${noteId}_v1`, `xhs:${noteId}`]),
      )
      expect(new Set(entries.flatMap(({ id, clientToken }) => [id, clientToken])).size).toBe(12)
      expect(pages).toEqual([entries.slice(0, 1), entries.slice(0, 3)])
      expect([acknowledged, again]).toEqual([3, 0])
      expect(await stores.outbox.page(99)).toEqual(others)
      expect(await stores.outbox.depth()).toBe(3)
    })

    it('tells of every note of a large completion', async () => {
      const { stores } = await begin(backend)
      const noteIds = Array.from({ length: 150 }, (_, n) => `n${n + 100}`)
      await collect(stores, ...noteIds)

      const entries = await stores.outbox.page(999)

      expect(await stores.outbox.depth()).toBe(300)
      expect(entries.map(({ key }) => key)).toEqual(
        noteIds.flatMap((noteId) => [`${noteId}_v1`, `xhs:${noteId}`]),
      )
      expect(await stores.outbox.ack(entries.map(({ id }) => id))).toBe(300)
      expect(await stores.outbox.page(9)).toEqual([])
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
