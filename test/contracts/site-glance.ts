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
  })
}
