import { describe, expect, it } from 'vitest'
import type { JsonObject } from '../../src/core/json.ts'
import {
  foundSources,
  idempotencyKeyOf,
  searchedPositions,
  SOURCES_LOOKED_AT,
  type SourceSearch,
} from '../../src/stores/source-store.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { type Backend, begin } from './backend.ts'
import { started } from './execution-store.ts'

const origin = { requestId: 'req-1' }

interface Collected {
  readonly noteId: string
  readonly platform?: string
  readonly keyword?: string
  readonly note: JsonObject
}

async function collect(stores: Stores, notes: readonly Collected[]) {
  const keyed = notes.map((note) => ({ platform: 'xhs', ...note }))
  await stores.candidates.add(
    keyed.map(({ platform, noteId, keyword }) => ({
      platform,
      noteId,
      noteUrl: 'u',
      ...(keyword && { sourceKeyword: keyword }),
    })),
    origin,
  )
  await started(stores, 'exec-1')
  await stores.candidates.claim('exec-1', notes.length, origin)
  for (const { platform, noteId, note } of keyed) {
    await stores.candidates.complete('exec-1', [{ platform, noteId, note }], origin)
  }
}

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

    it('finds notes by title, keyword, author, id and platform, newest first', async () => {
      const { stores } = await begin(backend)
      const author = { hash: 'ab'.repeat(32), masked_name: '李**' }
      await collect(stores, [
        { noteId: 'n1', keyword: '绿茶', note: { title: 'Green TEA, 50% off', author } },
        { noteId: 'n2', note: { title: '咖啡', author: null } },
        { noteId: 'n3', platform: 'weibo', keyword: 'tea', note: { title: 'cups', author } },
      ])
      const find = async (ask: Omit<SourceSearch, 'limit'>) =>
        (await stores.sources.search({ ...ask, limit: 9 })).sources.map(({ noteId }) => noteId)

      expect(await find({})).toEqual(['n3', 'n2', 'n1'])
      expect(await find({ text: 'tea' })).toEqual(['n3', 'n1'])
      expect(await find({ text: '绿' })).toEqual(['n1'])
      expect(await find({ text: '0% o' })).toEqual(['n1'])
      expect(await find({ text: '%' })).toEqual(['n1'])
      expect(await find({ text: '_' })).toEqual([])
      expect(await find({ text: author.hash })).toEqual(['n3', 'n1'])
      expect(await find({ text: 'n2' })).toEqual(['n2'])
      expect(await find({ text: 'tea', platform: 'weibo' })).toEqual(['n3'])
      expect(await find({ text: `'; drop table tbl_source` })).toEqual([])
      const [newest] = (await stores.sources.search({ limit: 1 })).sources
      expect(newest).toMatchObject({ sourceKeyword: 'tea', note: { title: 'cups' } })
    })

    it('pages through what it finds, and ends', async () => {
      const { stores } = await begin(backend)
      const noteIds = Array.from({ length: 5 }, (_, n) => `n${n}`)
      await collect(
        stores,
        noteIds.map((noteId) => ({ noteId, note: { title: 'tea' } })),
      )
      const found: string[] = []
      let pages = 0
      for (let before: number | undefined, more = true; more; pages++) {
        const page = await stores.sources.search({ text: 'tea', before, limit: 2 })
        found.push(...page.sources.map(({ noteId }) => noteId))
        before = page.next
        more = page.next !== undefined
      }

      expect(found).toEqual(['n4', 'n3', 'n2', 'n1', 'n0'])
      expect(pages).toBeLessThanOrEqual(3)
      expect(await stores.sources.search({ before: 1, limit: 2 })).toEqual({
        sources: [],
        next: undefined,
      })
    })

    it('looks at so many at a time, and says where to go on', () => {
      const ask = { limit: 10 }
      const [after, end] = searchedPositions(ask, 50_000)

      expect([after, end]).toEqual([50_000 - SOURCES_LOOKED_AT, 50_001])
      expect(foundSources([], ask, after)).toEqual({ sources: [], next: after + 1 })
      expect(searchedPositions({ ...ask, before: after + 1 }, 50_000)).toEqual([
        after - SOURCES_LOOKED_AT,
        after + 1,
      ])
      expect(foundSources([], ask, 0).next).toBeUndefined()
    })

    it('names a note by its id, outside xhs with its platform', () => {
      expect(idempotencyKeyOf({ platform: 'xhs', noteId: 'abc' })).toBe('abc_v1')
      expect(idempotencyKeyOf({ platform: 'weibo', noteId: 'abc' })).toBe('weibo_abc_v1')
    })
  })
}
