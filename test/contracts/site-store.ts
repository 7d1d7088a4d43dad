import { describe, expect, it } from 'vitest'
import { utcDayOf } from '../../src/core/utc-day.ts'
import { type Backend, begin } from './backend.ts'
import { finishedRun } from './run-store.ts'
import { survivesKill } from './survives-kill.ts'

const settings = {
  sitemapUrl: 'https://example.com/sitemap.xml',
  engines: ['a', 'b'],
  deep: { on: true },
}

export function siteStoreContract(backend: Backend) {
  describe(`SiteStore: ${backend.name}`, () => {
    it('keeps a site as it was given', async () => {
      const { stores, clock } = await begin(backend)
      const created = await stores.sites.create('example.com', settings)
      const site = {
        id: 'example.com',
        settings,
        createdAt: clock.now(),
        updatedAt: clock.now(),
        version: 1,
      }
      expect(created).toEqual({ ok: true, value: site })
      expect(await stores.sites.get('example.com')).toEqual(site)
    })

    it('refuses a second site of the same id', async () => {
      const { stores } = await begin(backend)
      await stores.sites.create('example.com', settings)
      expect(await stores.sites.create('example.com', {})).toEqual({
        ok: false,
        failure: { kind: 'site-exists', id: 'example.com' },
      })
      expect(await stores.sites.get('example.com')).toMatchObject({ settings })
    })

    it('lists by id', async () => {
      const { stores } = await begin(backend)
      for (const id of ['c.example', 'a.example', 'b.example']) await stores.sites.create(id, {})
      const ids = (await stores.sites.list()).map(({ id }) => id)
      expect(ids).toEqual(['a.example', 'b.example', 'c.example'])
    })

    it('never overwrites a change it has not seen', async () => {
      const { stores, another, clock } = await begin(backend)
      const second = await another()
      await stores.sites.create('example.com', settings)
      clock.advance(1_000)
      const read = { id: 'example.com', version: 1 }
      const mine = await stores.sites.replace(read, { mine: true })
      const theirs = await second.sites.replace(read, { theirs: true })
      expect(mine).toMatchObject({
        ok: true,
        value: { settings: { mine: true }, version: 2, updatedAt: clock.now() },
      })
      expect(theirs).toEqual({ ok: false, failure: { kind: 'site-changed', id: 'example.com' } })
      expect(await stores.sites.get('example.com')).toMatchObject({ settings: { mine: true } })
    })

    it('tells a missing site from a changed one', async () => {
      const { stores } = await begin(backend)
      expect(await stores.sites.replace({ id: 'none.example', version: 1 }, {})).toEqual({
        ok: false,
        failure: { kind: 'site-missing', id: 'none.example' },
      })
      expect(await stores.sites.get('none.example')).toBeUndefined()
    })

    it('forgets a removed site with all that belongs to it, and nothing else', async () => {
      const { stores } = await begin(backend)
      for (const id of ['a.example', 'b.example']) {
        await stores.sites.create(id, {})
        await stores.runs.finish(finishedRun({ id: `run-${id}`, siteId: id }))
        await stores.ledger.numberEngines(id, ['one'])
        await stores.ledger.write(id, { fence: 1, shards: new Map([[7, Uint8Array.of(1)]]) })
      }
      const days = [utcDayOf(finishedRun({}).startedAt)]

      expect(await stores.sites.remove('a.example')).toBe(true)

      expect(await stores.sites.remove('a.example')).toBe(false)
      expect(await stores.sites.get('a.example')).toBeUndefined()
      expect(await stores.runs.list('a.example', 9)).toEqual([])
      expect((await stores.runs.daily(days, 'a.example'))[0]?.indexnow.total).toBe(0)
      expect(await stores.ledger.load('a.example')).toMatchObject({
        engines: [],
        shards: new Map(),
      })
      expect(await stores.runs.list('b.example', 9)).toHaveLength(1)
      expect((await stores.ledger.load('b.example')).shards.size).toBe(1)
    })

    it.skipIf(backend.oneProcessOnly)('survives a kill in the middle of a removal', () =>
      survivesKill(backend, {
        async arrange(stores) {
          await stores.sites.create('a.example', {})
          await stores.ledger.write('a.example', {
            fence: 1,
            shards: new Map([[7, Uint8Array.of(1)]]),
          })
        },
        act: (stores) => stores.sites.remove('a.example'),
        look: async (stores) => [
          await stores.sites.list(),
          (await stores.ledger.load('a.example')).shards.size,
        ],
      }),
    )
  })
}
