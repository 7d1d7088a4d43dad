import { describe, expect, it } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { type Backend, begin } from './backend.ts'
import { finishedRun } from './run-store.ts'

const SITE = 'example.com'
const LEASE = 'site:example.com'

export function siteGlanceContract(backend: Backend) {
  describe(`SiteGlance: ${backend.name}`, () => {
    it('shows a site that nothing was done with', async () => {
      const { stores } = await begin(backend)
      await stores.sites.create(SITE, { name: 'a' })

      expect(await stores.glances.at(SITE, LEASE)).toEqual({
        settings: { name: 'a' },
        isHeld: false,
        newest: undefined,
      })
      expect(await stores.glances.at('other.example', LEASE)).toBeUndefined()
    })

    it('shows its newest run, and none of another site', async () => {
      const { stores, another } = await begin(backend)
      await stores.sites.create(SITE, {})
      const of = (id: string, startedAt: number, siteId = SITE) =>
        finishedRun({ id, siteId, startedAt, finishedAt: startedAt + 1_000 })
      await stores.runs.finish(of('run-1', 1_000))
      await stores.runs.finish(of('run-3', 3_000))
      await stores.runs.finish(of('run-2', 2_000))
      await stores.runs.finish(of('run-4', 4_000, 'other.example'))

      const seen = await (await another()).glances.at(SITE, LEASE)

      expect(seen?.newest).toEqual(of('run-3', 3_000))
    })

    it('tells whether its lease is held, for as long as it is', async () => {
      const { stores, clock } = await begin(backend)
      await stores.sites.create(SITE, {})
      const isHeld = async () => (await stores.glances.at(SITE, LEASE))?.isHeld
      await stores.leases.acquire({ name: 'site:other', holder: 'x', ttlMs: minutes(30) })
      const before = await isHeld()

      await stores.leases.acquire({ name: LEASE, holder: 'run-1', ttlMs: minutes(30) })
      const during = await isHeld()
      clock.advance(minutes(31))

      expect([before, during, await isHeld()]).toEqual([false, true, false])
    })

    it.each(['itself', 'another'])('shows at once what %s writes', async (writer) => {
      const { stores, another } = await begin(backend)
      const writing = writer === 'itself' ? stores : await another()
      const glance = () => stores.glances.at(SITE, LEASE)
      const absent = await glance()

      const created = await writing.sites.create(SITE, { name: 'a' })
      if (!created.ok) throw new Error('not created')
      const fresh = await glance()
      await writing.sites.replace(created.value, { name: 'b' })
      const changed = await glance()
      await writing.leases.acquire({ name: LEASE, holder: 'run-1', ttlMs: minutes(30) })
      const held = await glance()
      const running = { ...finishedRun({}), finishedAt: undefined, status: 'running' } as const
      await writing.runs.begin(running)
      const begun = await glance()
      await writing.runs.finish(finishedRun({}))
      const finished = await glance()
      await writing.sites.remove(SITE)

      expect([absent, await glance()]).toEqual([undefined, undefined])
      const first = { settings: { name: 'a' }, isHeld: false, newest: undefined }
      expect(fresh).toEqual(first)
      expect(changed).toEqual({ ...first, settings: { name: 'b' } })
      expect(held).toEqual({ ...changed, isHeld: true })
      expect(begun).toEqual({ ...held, newest: running })
      expect(finished?.newest).toEqual(finishedRun({}))
    })
  })
}
