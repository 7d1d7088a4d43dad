import { describe, expect, it } from 'vitest'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const site = 'example.com'
const bytes = (...values: number[]) => Uint8Array.from(values)

export function ledgerStoreContract(backend: Backend) {
  describe(`LedgerStore: ${backend.name}`, () => {
    it('remembers nothing of an unknown site', async () => {
      const { stores } = await begin(backend)
      expect(await stores.ledger.load(site)).toEqual({
        engines: [],
        shards: new Map(),
        outcomes: [],
        outcomesThrough: 0,
        sitemaps: [],
      })
      expect(await stores.ledger.chunks(site)).toEqual([])
      expect(await stores.ledger.readChunk(site, { list: 'failed', number: 1 })).toBeUndefined()
    })

    it('numbers engines once and for all, for each site by itself', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      expect(await stores.ledger.numberEngines(site, ['a', 'b'])).toEqual(['a', 'b'])
      expect(await second.ledger.numberEngines(site, ['c', 'b', 'a', 'c'])).toEqual(['a', 'b', 'c'])
      expect(await stores.ledger.numberEngines(site, [])).toEqual(['a', 'b', 'c'])
      expect(await stores.ledger.numberEngines('other.example', ['b'])).toEqual(['b'])
    })

    it.skipIf(backend.oneProcessOnly)('gives no number twice to two processes', async () => {
      const { stores, twoProcesses } = await begin(backend)
      const inTurn = await twoProcesses()
      await Promise.all(
        Array.from({ length: 20 }, (_, n) => inTurn(n).ledger.numberEngines(site, [`e${n}`])),
      )
      const engines = await stores.ledger.numberEngines(site, [])
      expect(new Set(engines).size).toBe(20)
    })

    it('gives back the shards and outcomes of a site, and only its own', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      await ledger.write(site, {
        fence: 1,
        shards: new Map([
          [0, bytes(1)],
          [255, bytes(2, 3)],
        ]),
      })
      await ledger.record(site, bytes(10))
      await ledger.record(site, bytes(11))
      await ledger.write('other.example', {
        fence: 1,
        shards: new Map([[0, bytes(9)]]),
      })
      await ledger.record('other.example', bytes(9))

      const loaded = await ledger.load(site)

      expect(loaded.shards).toEqual(
        new Map([
          [0, bytes(1)],
          [255, bytes(2, 3)],
        ]),
      )
      expect(loaded.outcomes).toEqual([bytes(10), bytes(11)])
      expect((await ledger.loadShard(site, 255)).shards).toEqual(new Map([[255, bytes(2, 3)]]))
      expect((await ledger.loadShard(site, 7)).outcomes).toEqual([bytes(10), bytes(11)])
    })

    it('replaces a shard, forgets an empty one and leaves the others', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      await ledger.write(site, {
        fence: 1,
        shards: new Map([
          [1, bytes(1)],
          [2, bytes(2)],
          [3, bytes(3)],
        ]),
      })
      await ledger.write(site, {
        fence: 1,
        shards: new Map([
          [1, bytes(7)],
          [2, bytes()],
        ]),
      })
      expect((await ledger.load(site)).shards).toEqual(
        new Map([
          [1, bytes(7)],
          [3, bytes(3)],
        ]),
      )
    })

    it('drops the outcomes that were folded in, and keeps one recorded since', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      await ledger.record(site, bytes(1))
      const { outcomesThrough } = await ledger.load(site)
      await ledger.record(site, bytes(2))

      await ledger.write(site, { fence: 1, shards: new Map(), foldedThrough: outcomesThrough })

      expect((await ledger.load(site)).outcomes).toEqual([bytes(2)])
    })

    it('does not take a later outcome for one that was folded in', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      await ledger.record(site, bytes(1))
      const { outcomesThrough } = await ledger.load(site)
      await ledger.write(site, { fence: 1, foldedThrough: outcomesThrough })
      await ledger.record(site, bytes(2))
      await ledger.write(site, { fence: 1, foldedThrough: outcomesThrough })
      expect((await ledger.load(site)).outcomes).toEqual([bytes(2)])
    })

    it('refuses a run that was replaced, whole', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      await ledger.write(site, { fence: 2, shards: new Map([[1, bytes(1)]]) })
      expect(
        await ledger.write(site, {
          fence: 1,
          shards: new Map([[1, bytes(9)]]),
          appendChunks: [{ list: 'due', count: 1, urls: bytes(9) }],
        }),
      ).toEqual({ ok: false, failure: { kind: 'fenced-out', newerFence: 2 } })
      expect((await ledger.load(site)).shards).toEqual(new Map([[1, bytes(1)]]))
      expect(await ledger.chunks(site)).toEqual([])
      expect(await ledger.write(site, { fence: 2 })).toMatchObject({ ok: true })
      expect(await ledger.write('other.example', { fence: 1 })).toMatchObject({ ok: true })
    })

    it('remembers sitemap files by number', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      const [one, two] = [
        { number: 1, url: 'https://example.com/1.xml', memory: { etag: '"a"', urls: 7 } },
        { number: 2, url: 'https://example.com/2.xml' },
      ]
      await ledger.write(site, { fence: 1, sitemaps: [two, one] })
      const changed = { ...two, memory: { urls: 8 } }
      await ledger.write(site, { fence: 1, sitemaps: [changed] })
      expect((await ledger.load(site)).sitemaps).toEqual([one, changed])
    })

    it('keeps lists of URLs in chunks, in order, until they are removed', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      const chunk = (list: string, value: number) => ({ list, count: value, urls: bytes(value) })
      await ledger.write(site, {
        fence: 1,
        appendChunks: [chunk('due', 1), chunk('failed', 2), chunk('due', 3)],
      })
      await ledger.write(site, { fence: 1, appendChunks: [chunk('due', 4)] })
      const all = await ledger.chunks(site)
      expect(all.map(({ count }) => count)).toEqual([1, 2, 3, 4])
      const due = all.filter(({ list }) => list === 'due')
      expect(due.map(({ count }) => count)).toEqual([1, 3, 4])
      expect(await Promise.all(due.map((one) => ledger.readChunk(site, one)))).toEqual([
        bytes(1),
        bytes(3),
        bytes(4),
      ])

      await ledger.write(site, { fence: 1, removeChunks: due.slice(1, 2), dropLists: ['failed'] })

      expect((await ledger.chunks(site)).map(({ count }) => count)).toEqual([1, 4])
      expect(await ledger.chunks('other.example')).toEqual([])
    })

    it('can drop a list and begin it anew in one change', async () => {
      const { stores } = await begin(backend)
      const { ledger } = stores
      const append = (value: number) => [{ list: 'due', count: value, urls: bytes(value) }]
      await ledger.write(site, { fence: 1, appendChunks: append(1) })
      await ledger.write(site, { fence: 1, dropLists: ['due'], appendChunks: append(2) })
      expect((await ledger.chunks(site)).map(({ count }) => count)).toEqual([2])
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of a change', () =>
      survivesKill(backend, {
        async arrange({ ledger }) {
          await ledger.write(site, {
            fence: 1,
            shards: new Map([
              [1, bytes(1)],
              [2, bytes(2)],
            ]),
          })
          await ledger.record(site, bytes(5))
        },
        // As the end of a run writes it: shards with the outcomes folded in, and the vanished URLs.
        act: ({ ledger }) =>
          ledger.write(site, {
            fence: 2,
            shards: new Map([
              [1, bytes(7)],
              [2, bytes()],
              [3, bytes(3)],
            ]),
            foldedThrough: 1,
            dropLists: ['vanished'],
            appendChunks: [{ list: 'vanished', count: 1, urls: bytes(4) }],
          }),
        async look({ ledger }) {
          const chunks = await ledger.chunks(site)
          return [await ledger.load(site), chunks.map(({ count }) => count)]
        },
      }),
    )
  })
}
