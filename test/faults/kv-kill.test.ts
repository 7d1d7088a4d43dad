import { describe, expect, onTestFinished } from 'vitest'
import { readConfig } from '../../src/apps/read-config.ts'
import type { Env } from '../../src/apps/worker/bindings.ts'
import { answerFromKv, pokeKv } from '../../src/apps/worker/kv-worker.ts'
import { NO_ASSETS } from '../../src/apps/worker/worker-pages.ts'
import { minutes } from '../../src/core/duration.ts'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import type { KvNamespace } from '../../src/stores/kv/kv.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { sentTo } from '../scenarios/support.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openKvStandIn } from '../support/stand-ins/kv.ts'
import { openSite } from '../support/stand-ins/site.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'

const TOKEN = 'token-of-the-kv-kill-test'
/** More than one invocation may send: a run of two slices. */
const PAGES = 60
/** How many requests a site has open at once. */
const IN_FLIGHT = 3

/** From its `step`th operation on nothing comes back, as when the isolate is gone. */
function dyingAt(step: number, namespace: KvNamespace) {
  const death = Promise.withResolvers<'killed'>()
  let steps = 0
  const mortal =
    <A extends unknown[], T>(operation: (...given: A) => Promise<T>) =>
    (...given: A): Promise<T> => {
      if (++steps < step) return operation(...given)
      death.resolve('killed')
      return new Promise(() => {})
    }
  const { get, put, delete: remove, list } = namespace
  const victim: KvNamespace = {
    get: mortal(get as (key: string, type: 'text') => Promise<string | null>) as typeof get,
    put: mortal(put),
    delete: mortal(remove),
    list: mortal(list),
  }
  return { victim, death: death.promise }
}

async function openKvWorld() {
  const clock = new FakeClock('2025-01-14T12:00:00Z')
  const kv = openKvStandIn(clock)
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const engine = await openIndexNowEngine({ clock })
  onTestFinished(async () => void (await Promise.all([site.close(), engine.close()])))
  site.put({ '/sitemap.xml': sitemapOf(paths(PAGES)) })
  const given = {
    SLUICE_ALLOW_PRIVATE: '1',
    STORE: 'kv',
    COOKIE_MASTER_KEY: 'master-key-of-the-kv-kill-test-0123',
  }
  const read = readConfig(given, { version: '0.0.0', isTerminal: false })
  if (!read.ok) throw new Error('bad settings')
  const tokens = { admin: new Secret(TOKEN), advice: '' }
  const around = {
    config: read.value.config,
    clock,
    random: countingRandom(),
    log: silentLog,
    tokens,
  }
  const envOf = (namespace: KvNamespace) => ({ SLUICE_KV: namespace }) as unknown as Env
  const api = async (method: string, path: string, body?: unknown) => {
    const later: Promise<unknown>[] = []
    const request = new Request(`https://sluice.test${path}`, {
      method,
      headers: { authorization: `Bearer ${TOKEN}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const context = { waitUntil: (work: Promise<unknown>) => void later.push(work) }
    const response = await answerFromKv(request, envOf(kv.place()), {
      around,
      context,
      assets: NO_ASSETS,
    })
    await Promise.all(later)
    return (await response.json()) as Readonly<Record<string, unknown>>
  }
  const cron = (namespace = kv.place()) => pokeKv(envOf(namespace), around, clock.now())
  const addSite = async (id: string, at: string) => {
    clock.advanceTo(at)
    await api('POST', '/api/sites', {
      id,
      sitemapUrl: site.url('/sitemap.xml'),
      apiKey: KEY,
      searchEngines: [engine.endpoint],
      submitMode: 'get',
    })
  }
  await addSite('shop', '2025-01-14T12:00:00Z')
  clock.advanceTo('2025-01-15T00:00:00Z')
  return { clock, kv, engine, api, cron, addSite }
}

const runsOf = async ({ api }: Awaited<ReturnType<typeof openKvWorld>>, id = 'shop') =>
  (await api('GET', `/api/sites/${id}/runs`))['runs'] as ShownRun[]

scenario('X02', 'a cron that finds nothing to do writes nothing, and reads little', async () => {
  const world = await openKvWorld()
  await world.cron()
  world.clock.advance(minutes(5))
  await world.cron()
  world.clock.advance(minutes(5))
  const counts = { get: 0, put: 0, delete: 0, list: 0 }
  const place = world.kv.place()
  const counted = new Proxy(place, {
    get(all, name: keyof KvNamespace) {
      counts[name]++
      return all[name]
    },
  })

  await world.cron(counted)

  expect(counts).toMatchObject({ put: 0, delete: 0, list: 0 })
  expect(counts.get).toBeLessThanOrEqual(12)
})

scenario('R02', 'a run that was begun is gone on with before another site begins', async () => {
  const world = await openKvWorld()
  const statuses = async () =>
    Promise.all(['blog', 'shop'].map(async (id) => (await runsOf(world, id))[0]?.status))
  await world.addSite('blog', '2025-01-14T13:00:00Z')
  world.clock.advanceTo('2025-01-15T00:00:00Z')

  const seen: unknown[] = []
  for (let pokes = 0; pokes < 6; pokes++) {
    await world.cron()
    world.clock.advance(minutes(5))
    seen.push(await statuses())
  }

  expect(seen.at(-1)).toEqual(['succeeded', 'succeeded'])
  // Never two at once: one would wait longer than its lease lasts.
  expect(seen).not.toContainEqual(['running', 'running'])
})

describe('an invocation on KV that is killed', () => {
  scenario(
    'S29',
    'before any of its operations: the crons after it lose nothing, and repeat what was under way',
    async () => {
      let wasKilled = true
      for (let step = 1; wasKilled; step += 4) {
        const world = await openKvWorld()
        const { clock, kv, engine, cron } = world
        const { victim, death } = dyingAt(step, kv.place())

        wasKilled = (await Promise.race([cron(victim), death])) === 'killed'
        for (let pokes = 0; pokes < 4; pokes++) {
          clock.advance(minutes(5))
          await cron()
        }

        clock.advance(minutes(5))
        const [last] = await runsOf(world)
        expect(last?.status, `step ${step}`).toBe('succeeded')
        const sent = sentTo(engine)
        expect(new Set(sent), `step ${step}`).toEqual(new Set(paths(PAGES)))
        expect(sent.length - PAGES, `step ${step}`).toBeLessThanOrEqual(IN_FLIGHT)
      }
    },
    120_000,
  )
})
