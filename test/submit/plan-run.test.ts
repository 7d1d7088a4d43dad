import { describe, expect, onTestFinished } from 'vitest'
import { openSubmit } from '../../src/apps/node/open-submit.ts'
import { readConfig } from '../../src/apps/read-config.ts'
import { silentLog } from '../../src/core/log.ts'
import { openSqliteSnapshot } from '../../src/stores/sqlite/open.ts'
import { planRun, type PlannedRun } from '../../src/submit/plan-run.ts'
import type { ChannelChoice } from '../../src/submit/site-run.ts'
import { getSite } from '../../src/submit/sites.ts'
import { bingOf, sentTo } from '../scenarios/support.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { MASTER_KEY, openWorld, paths, sitemapOf, type World } from '../support/world.ts'

const ENV = { SITEMAP_RETRY_MS: '0', MAX_RETRIES: '0' }

interface Planning {
  readonly channel?: ChannelChoice
  readonly env?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

/** What a run of the world's site would do now, tried out on a copy of its store. */
async function plan(
  { folder, clock }: World,
  siteId: string,
  { channel = 'all', env = {}, signal = new AbortController().signal }: Planning = {},
): Promise<PlannedRun> {
  const read = readConfig(
    { SLUICE_ALLOW_PRIVATE: '1', ...ENV, ...env },
    { version: '0.0.0', isTerminal: false },
  )
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const random = countingRandom()
  const stores = openSqliteSnapshot({ folder, clock, random })
  onTestFinished(() => stores.close())
  const { config } = read.value
  const around = { clock, random, log: silentLog }
  const { sites, runs } = openSubmit({ config, stores, masterKey: MASTER_KEY, ...around })
  const site = await getSite(sites, siteId)
  if (!site.ok) throw new Error(JSON.stringify(site.failure))
  return planRun({ id: 'plan', site: site.value, channel, signal }, runs)
}

const pathsOf = ({ urls }: PlannedRun) => urls.map((url) => new URL(url).pathname)

describe('a dry run', () => {
  scenario('X07', 'names what the run after it sends: new, changed, failed and gone', async () => {
    const world = await openWorld({ env: ENV })
    const id = await world.addSite({ submitDeleted: true, submitMode: 'post' })
    const same = paths(8, 2)
    world.site.put({ '/sitemap.xml': sitemapOf(['/p/0', ['/p/1', '2024-01-01'], ...same]) })
    await world.run()
    world.engine.script(answers(400))
    world.site.put({
      '/sitemap.xml': sitemapOf(['/p/0', ['/p/1', '2024-01-01'], ...same, '/refused']),
    })
    await world.run()
    world.site.put({
      '/sitemap.xml': sitemapOf(['/new', ['/p/1', '2024-02-02'], ...same, '/refused']),
    })
    const sent = sentTo(world.engine).length

    const planned = await plan(world, id)
    const askedByPlan = sentTo(world.engine).slice(sent)
    const run = await world.run()

    expect(planned.run).toMatchObject({
      id: 'plan',
      status: 'succeeded',
      trigger: 'dry-run',
      total: run.total,
      new: run.new,
      cached: run.cached,
      deleted: run.deleted,
      submitted: 0,
    })
    expect(pathsOf(planned)).toEqual(['/refused', '/new', '/p/1', '/p/0'])
    expect(sentTo(world.engine).slice(sent)).toEqual(pathsOf(planned))
    expect(askedByPlan).toEqual([])
  })

  scenario('X07', 'can be made while a run goes on', async () => {
    const world = await openWorld({ env: ENV })
    const id = await world.addSite()
    world.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
    await world.stores.leases.acquire({ name: `site:${id}`, holder: 'somebody', ttlMs: 60_000 })

    const planned = await plan(world, id)

    expect(planned.run.status).toBe('succeeded')
    expect(pathsOf(planned)).toEqual(paths(3))
  })

  scenario(
    'B04',
    'of Bing alone names as many as are left of its quota, and asks nobody',
    async () => {
      const world = await openWorld({ env: ENV })
      const sites = [{ url: world.site.origin, dailyQuota: 3 }]
      const bing = await bingOf({ clock: world.clock, apiKey: 'bing-key', sites })
      const id = await world.addSite({
        bingEnabled: true,
        bingApiKey: 'bing-key',
        bingDailyQuota: 3,
      })
      world.site.put({ '/sitemap.xml': sitemapOf(paths(10)) })

      const planned = await plan(world, id, { channel: 'bing', env: { BING_API_URL: bing.apiUrl } })

      expect(planned.urls).toHaveLength(3)
      expect(planned.run).toMatchObject({
        engines: [],
        bing: { total: 3, successful: 0, quotaUsed: 0, quotaRemaining: 3 },
      })
      expect(bing.requests).toEqual([])
      expect(world.engine.requests).toEqual([])
    },
  )

  scenario('X07', 'ends as the reading did', async () => {
    const world = await openWorld({ env: ENV })
    const id = await world.addSite({ sitemapUrls: [world.site.url('/more.xml')] })
    const stopped = AbortSignal.abort()

    const nothing = await plan(world, id)
    world.site.put({ '/sitemap.xml': sitemapOf(paths(2)) })
    const half = await plan(world, id)
    const broken = await plan(world, id, { signal: stopped })

    expect(nothing).toMatchObject({ run: { status: 'failed' }, urls: [] })
    expect(half.run.status).toBe('partial')
    expect(pathsOf(half)).toEqual(paths(2))
    expect(broken.run.status).toBe('interrupted')
  })
})
