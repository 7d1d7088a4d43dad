import { describe, expect, it } from 'vitest'
import { idempotencyKeyOf } from '../../src/stores/source-store.ts'
import { type Backend, begin } from './backend.ts'
import { started } from './execution-store.ts'

const origin = { requestId: 'req-1' }

export function sourceStoreContract(backend: Backend) {
  describe(`SourceStore: ${backend.name}`, () => {
    it('gives the notes in the order they were written, from any place on', async () => {
      const { stores } = await begin(backend)
      const notes = ['n1', 'n2', 'n3'].map((noteId) => ({ platform: 'weibo', noteId }))
      await stores.candidates.add(
        notes.map((note) => ({ ...note, noteUrl: 'u' })),
        origin,
      )
      await started(stores, 'exec-1')
      await stores.candidates.claim('exec-1', 10, origin)
      for (const note of notes) {
        await stores.candidates.complete('exec-1', [{ ...note, note: { text: 'tea' } }], origin)
      }

      const [first, ...rest] = await stores.sources.since(0, 9)

      expect(first).toMatchObject({
        noteId: 'n1',
        idempotencyKey: 'weibo_n1_v1',
        note: { text: 'tea' },
      })
      expect(await stores.sources.since(first?.position ?? 0, 9)).toEqual(rest)
      expect(await stores.sources.since(0, 1)).toEqual([first])
      expect(rest.map(({ noteId }) => noteId)).toEqual(['n2', 'n3'])
      expect(await stores.sources.get({ platform: 'weibo', noteId: 'none' })).toBeUndefined()
    })

    it('names a note by its id, outside xhs with its platform', () => {
      expect(idempotencyKeyOf({ platform: 'xhs', noteId: 'abc' })).toBe('abc_v1')
      expect(idempotencyKeyOf({ platform: 'weibo', noteId: 'abc' })).toBe('weibo_abc_v1')
    })
  })
}
