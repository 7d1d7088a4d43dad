import { describe, expect, it } from 'vitest'
import { openSubmit } from '../../src/apps/node/open-submit.ts'
import { readConfig } from '../../src/apps/read-config.ts'
import { type BudgetLimits, openBudget } from '../../src/core/budget.ts'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import type { FinishedRun } from '../../src/stores/run-store.ts'
import { getSite } from '../../src/submit/sites.ts'
import { beginSlicedRun, loadSavedRun, runSlice } from '../../src/submit/sliced-run.ts'
import { anotherEngine, bingOf, sentTo, statesOf } from '../scenarios/support.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'

const sitemapIndex = (...files: readonly string[]) =>
  `<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${files
    .map((file) => `<sitemap><loc>{origin}${file}</loc></sitemap>`)
    .join('')}</sitemapindex>`

interface Sliced {
  readonly run: FinishedRun
  readonly slices: number
}

interface SliceOptions {
  readonly env?: Readonly<Record<string, string>>
  /** The slice, by number, that is killed when it is over, before it could save. */
  readonly killed?: number
}

/** Runs a site as a Worker does: each slice has only what is stored to begin with. */
async function runInSlices(
  world: World,
  siteId: string,
  limits: BudgetLimits,
  { env = {}, killed }: SliceOptions = {},
): Promise<Sliced> {
  const { stores, clock } = world
  const read = readConfig(
    { SLUICE_ALLOW_PRIVATE: '1', ...env },
    { version: '0.0.0', isTerminal: false },
  )
  if (!read.ok) throw new Error('bad settings')
  const open = () =>
    openSubmit({
      config: read.value.config,
      stores,
      masterKey: new Secret('master-key-of-the-test-world'),
      clock,
      random: countingRandom(),
      log: silentLog,
    })
  const { sites, runs } = open()
  const { signal } = new AbortController()
  const site = await getSite(sites, siteId)
  if (!site.ok) throw new Error('no site')
  const id = `run-${clock.now()}`
  const ask = { id, site: site.value, channel: 'all', trigger: 'manual', signal } as const
  const begun = await beginSlicedRun(ask, runs)
  if (!begun.ok) throw new Error('not begun')
  for (let slices = 1; slices < 200; slices++) {
    const saved = await loadSavedRun(stores, siteId)
    if (!saved) throw new Error('nothing is saved')
    const part = { site: site.value, budget: openBudget(limits, clock), signal }
    const death = Promise.withResolvers<'killed'>()
    const deps =
      slices === killed ? dyingAtItsEnd(open().runs, () => death.resolve('killed')) : open().runs
    const end = await Promise.race([runSlice(saved, part, deps), death.promise])
    const run = end === 'over' ? await stores.runs.get(id) : undefined
    if (run) return { run: run as FinishedRun, slices }
    if (typeof end === 'object') return { run: end.end.run, slices }
    expect(end).toBe(slices === killed ? 'killed' : 'paused')
  }
  throw new Error('it does not end')
}

/** Everything is written but the end of the slice, and then nothing happens any more. */
function dyingAtItsEnd(
  deps: ReturnType<typeof openSubmit>['runs'],
  die: () => void,
): ReturnType<typeof openSubmit>['runs'] {
  const { ledger } = deps.stores
  const write: typeof ledger.write = (siteId, change) => {
    if (!change.dropLists?.some((list) => list.startsWith('slice:'))) {
      return ledger.write(siteId, change)
    }
    die()
    return new Promise(() => {})
  }
  return { ...deps, stores: { ...deps.stores, ledger: { ...ledger, write } } }
}

async function siteOfThreeFiles(settings: Readonly<Record<string, unknown>> = {}) {
  const world = await openWorld()
  world.site.put({
    '/sitemap.xml': sitemapIndex('/1.xml', '/2.xml', '/3.xml'),
    '/1.xml': sitemapOf(paths(40)),
    // Its first ten are in the first file too.
    '/2.xml': sitemapOf(paths(40, 30)),
    '/3.xml': sitemapOf(paths(40, 70)),
  })
  return { world, id: await world.addSite({ submitMode: 'post', ...settings }) }
}

describe('a run in slices', () => {
  scenario(
    'S28',
    'comes to what a run in one piece comes to, and sends each URL once',
    async () => {
      const whole = await siteOfThreeFiles()
      const expected = await whole.world.run()
      const { world, id } = await siteOfThreeFiles()

      const { run, slices } = await runInSlices(world, id, { urls: 25 })

      expect(slices).toBeGreaterThan(3)
      expect(sentTo(world.engine).toSorted()).toEqual(paths(110).toSorted())
      for (const field of ['status', 'total', 'new', 'cached', 'submitted', 'failed'] as const) {
        expect(run[field], field).toBe(expected[field])
      }
      expect(run.engines.map(({ total, successful }) => ({ total, successful }))).toEqual([
        { total: 110, successful: 110 },
      ])
    },
  )

  scenario('S10', 'a second one finds that all of it is accepted', async () => {
    const { world, id } = await siteOfThreeFiles()
    await runInSlices(world, id, { urls: 25 })
    const sent = sentTo(world.engine).length

    world.clock.advanceTo('2025-01-16T00:00:00Z')
    const { run } = await runInSlices(world, id, { urls: 25 })

    expect(run).toMatchObject({ status: 'succeeded', total: 110, new: 0, cached: 110 })
    expect(sentTo(world.engine)).toHaveLength(sent)
  })

  scenario('S13', 'judges what vanished only when every slice has read its part', async () => {
    const { world, id } = await siteOfThreeFiles({ submitDeleted: true })
    await runInSlices(world, id, { urls: 25 })
    // In the file that is read last, and in none before.
    world.site.put({ '/3.xml': sitemapOf(paths(39, 70)) })

    world.clock.advanceTo('2025-01-16T00:00:00Z')
    const { run, slices } = await runInSlices(world, id, { urls: 25 })

    expect(slices).toBeGreaterThan(3)
    expect(run).toMatchObject({ status: 'succeeded', total: 109, deleted: 1 })
    expect(sentTo(world.engine).slice(110)).toEqual(['/p/109'])
  })

  scenario(
    'S13',
    'counts each deletion by what was answered, whichever slice sent it',
    async () => {
      const { world, id } = await siteOfThreeFiles({ submitDeleted: true, submitMode: 'get' })
      await world.run()
      world.site.put({ '/3.xml': sitemapOf(paths(34, 70)) })
      world.engine.script(answers(422), answers(202))

      world.clock.advanceTo('2025-01-16T00:00:00Z')
      const { run, slices } = await runInSlices(world, id, { subrequests: 5 })

      expect(slices).toBeGreaterThan(2)
      expect(run).toMatchObject({ total: 104, deleted: 6, submitted: 5, failed: 1 })
      expect(run.engines).toMatchObject([{ total: 6, successful: 5, pending: 1, failed: 1 }])
    },
  )

  scenario(
    'S29',
    'a slice that is killed in its last moment is done again, and nothing twice',
    async () => {
      for (const killed of [1, 2, 3, 4]) {
        const { world, id } = await siteOfThreeFiles()

        const { run } = await runInSlices(world, id, { urls: 25 }, { killed })

        expect(run, `slice ${killed}`).toMatchObject({ status: 'succeeded', submitted: 110 })
        expect(sentTo(world.engine).toSorted(), `slice ${killed}`).toEqual(paths(110).toSorted())
      }
    },
  )

  scenario(
    'S23',
    'goes on at the engines that were not through, and counts a URL once',
    async () => {
      const { world } = await siteOfThreeFiles()
      const other = await anotherEngine(world)
      const refusing = await anotherEngine(world)
      refusing.always(answers(403))
      world.site.put({ '/sitemap.xml': sitemapOf(paths(30)) })
      const engines = [world.engine, other, refusing].map(({ endpoint }) => endpoint)
      const id = await world.addSite({ id: 'two', submitMode: 'get', searchEngines: engines })

      const { run, slices } = await runInSlices(world, id, { subrequests: 5 })

      expect(slices).toBeGreaterThan(3)
      expect(run).toMatchObject({ submitted: 30, failed: 30, total: 30 })
      expect(sentTo(world.engine).toSorted()).toEqual(paths(30).toSorted())
      expect(sentTo(other).toSorted()).toEqual(paths(30).toSorted())
      expect(run.engines.map(({ successful, failed }) => [successful, failed])).toEqual([
        [30, 0],
        [30, 0],
        [0, 30],
      ])
    },
  )

  scenario('S14', 'a baseline of many slices submits nothing', async () => {
    const { world, id } = await siteOfThreeFiles({ firstRun: 'baseline' })

    const { run } = await runInSlices(world, id, { urls: 25 })

    expect(run).toMatchObject({ status: 'succeeded', total: 110, new: 0 })
    expect(sentTo(world.engine)).toEqual([])
    expect(await statesOf(world, id, '/p/0')).toMatchObject([{ status: 'baseline' }])
  })

  scenario('B06', 'chooses for Bing among the URLs of all slices, within its quota', async () => {
    const { world } = await siteOfThreeFiles()
    const { origin } = world.site
    const apiKey = 'bing-key-0123456789abcdef'
    const bing = await bingOf({
      clock: world.clock,
      apiKey,
      sites: [{ url: origin, dailyQuota: 500 }],
    })
    const newest = paths(3, 200).map((path) => [path, '2025-01-14'] as const)
    world.site.put({ '/1.xml': sitemapOf([...newest, ...paths(40)]) })
    const wanted = { bingEnabled: true, bingApiKey: apiKey, bingDailyQuota: 3 }
    const id = await world.addSite({ id: 'two', submitMode: 'post', ...wanted })

    const env = { BING_API_URL: bing.apiUrl }
    const { run, slices } = await runInSlices(world, id, { urls: 25 }, { env })

    expect(slices).toBeGreaterThan(3)
    expect(bing.accepted.map(({ url }) => url).toSorted()).toEqual(
      paths(3, 200).map((path) => `${origin}${path}`),
    )
    expect(run.bing).toMatchObject({ total: 113, successful: 3, quotaUsed: 3 })
  })

  scenario(
    'S01',
    'a file larger than a slice is read on where the slice before stopped',
    async () => {
      const { world } = await siteOfThreeFiles()
      world.site.put({ '/sitemap.xml': sitemapOf(paths(8_000)) })
      const id = await world.addSite({ id: 'large' })

      const { run, slices } = await runInSlices(world, id, { urls: 1_500 })

      expect(slices).toBeGreaterThan(3)
      expect(run).toMatchObject({ status: 'succeeded', total: 8_000, new: 8_000, submitted: 8_000 })
      expect(new Set(sentTo(world.engine)).size).toBe(8_000)
      expect(sentTo(world.engine)).toHaveLength(8_000)
    },
  )

  it('is not gone on with by another run', async () => {
    const { world, id } = await siteOfThreeFiles()
    const first = await runInSlices(world, id, { urls: 25 }, { killed: 2 })

    expect(first.run.status).toBe('succeeded')
    expect(await loadSavedRun(world.stores, id)).toBeUndefined()
    expect(
      (await world.stores.ledger.chunks(id)).filter(({ list }) => list.startsWith('slice')),
    ).toEqual([])
  })
})
