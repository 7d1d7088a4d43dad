import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as passing } from 'node:timers/promises'
import { afterAll, describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes, seconds } from '../../src/core/duration.ts'
import { bearer, type RunningServer, startServer, temporaryFolder } from '../server/support.ts'
import { scenario } from '../support/scenario.ts'
import { type Bing, openBing } from '../support/stand-ins/bing.ts'
import { type IndexNowEngine, openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite, sitemapIndex, type SiteStandIn, urlset } from '../support/stand-ins/site.ts'
import { answers, type StandIn } from '../support/stand-ins/stand-in.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { KEY, paths } from '../support/world.ts'

const URLS = 400
const FILES = 4
const IN_FLIGHT = 3
const BING_QUOTA = 100
const TOKEN = 'token-of-the-fault-tests'
const LONG = minutes(4)

// Fifty starts: with it each takes half as long. Only a server that ends by itself fills it.
const compiled = mkdtempSync(join(tmpdir(), 'sluice-faults-'))
afterAll(() => rmSync(compiled, { recursive: true, force: true }))

describe('kill -9', () => {
  scenario(
    'S29',
    'thirty times in a run that sends one by one',
    async () => {
      const world = await openFaultWorld()
      await world.addSite({ submitMode: 'get' })

      for (let kill = 0; kill < 30; kill++) {
        await world.killAt(kill % 3 === 0 ? world.reading() : world.sending())
      }
      const last = await world.undisturbedRun()

      expect(last).toMatchObject({ status: 'succeeded', total: URLS, failed: 0 })
      expect([...world.engine.received.keys()].sort()).toEqual(world.allUrls())
      for (const { repeated } of world.livesAt(world.engine)) {
        expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT)
      }
      expect(world.complaints()).toEqual([])
    },
    LONG,
  )

  scenario(
    'B04',
    'twenty times in a run that sends by batch and to Bing',
    async () => {
      const world = await openFaultWorld()
      const { bing } = world
      world.publish(4)
      await world.addSite({ submitMode: 'post', ...world.bingSettings() })

      for (let kill = 0; kill < 20; kill++) {
        // A few at a time, so that Bing's quota lasts; then all at once, which is more than it holds.
        world.publish(kill < 15 ? 4 + 4 * kill : URLS)
        const moments = [world.reading(), world.sending(1), world.sendingToBing()] as const
        await world.killAt(moments[kill % 3] ?? moments[0])
        expect(await world.quotaUsed()).toBeGreaterThanOrEqual(bing.used(world.site.origin))
      }
      const last = await world.undisturbedRun()

      expect(last).toMatchObject({ status: 'succeeded', total: URLS, failed: 0 })
      expect([...world.engine.received.keys()].sort()).toEqual(world.allUrls())
      for (const { repeated, lastBatch } of world.livesAt(world.engine)) {
        expect(lastBatch).toEqual(expect.arrayContaining([...repeated]))
      }
      expect(last.bing?.quotaUsed).toBeLessThanOrEqual(BING_QUOTA)
      expect(last.bing?.quotaUsed).toBeGreaterThanOrEqual(bing.used(world.site.origin))
      expect(bing.used(world.site.origin)).toBeGreaterThan(0)
      expect(bing.overQuota).toEqual([])
      expect(world.complaints()).toEqual([])
    },
    LONG,
  )

  scenario(
    'R03',
    'a killed run loses its lease with its server',
    async () => {
      const world = await openFaultWorld()
      await world.addSite({ submitMode: 'get' })
      await world.killAt(world.sending(5))

      await world.start()
      const [killed] = await world.runsOfTheDead()
      const next = await world.undisturbedRun()

      expect(killed).toMatchObject({ status: 'interrupted', finishedAt: expect.any(String) })
      expect(next).toMatchObject({ status: 'succeeded' })
    },
    LONG,
  )
})

describe('SIGTERM', () => {
  scenario(
    'S29',
    'in the middle of a run saves what it has; the next goes on',
    async () => {
      const world = await openFaultWorld()
      await world.addSite({ submitMode: 'get' })
      const server = await world.start()
      const moment = world.sending(100)
      await world.trigger()
      await moment

      const exit = await server.stop()
      await world.start()
      const [interrupted] = await world.runsOfTheDead()
      const next = await world.undisturbedRun()

      expect(exit).toEqual({ code: 0, signal: null })
      expect(interrupted).toMatchObject({ status: 'interrupted', failed: 0 })
      expect(interrupted?.submitted).toBeGreaterThanOrEqual(100 - IN_FLIGHT)
      expect(next).toMatchObject({ status: 'succeeded', new: URLS - (interrupted?.submitted ?? 0) })
      expect([...world.engine.received.keys()].sort()).toEqual(world.allUrls())
      for (const { repeated } of world.livesAt(world.engine)) {
        expect(repeated.length).toBeLessThanOrEqual(IN_FLIGHT)
      }
    },
    LONG,
  )

  scenario(
    'S29',
    'twice ends at once, and loses no more than a kill',
    async () => {
      const world = await openFaultWorld()
      await world.addSite({ submitMode: 'get' })
      const server = await world.start()
      // Nothing that waits for an answer can end gently.
      world.engine.always({ fault: 'hang' })
      const moment = world.sending(1)
      await world.trigger()
      await moment
      server.send('SIGTERM')
      await server.line('server.stopping')
      server.send('SIGTERM')
      const exit = await server.exited
      world.engine.always()

      const next = await world.undisturbedRun()

      expect([0, 130]).toContain(exit.code)
      expect(next).toMatchObject({ status: 'succeeded', new: URLS, submitted: URLS })
    },
    LONG,
  )

  scenario(
    'S26',
    'during the wait after a 429 does not wait for its end',
    async () => {
      const world = await openFaultWorld()
      await world.addSite({ submitMode: 'post' })
      const server = await world.start()
      world.engine.always(answers(429))
      await world.trigger()
      await server.line('indexnow.retry')

      const before = systemClock.now()
      const exit = await server.stop()
      const tookMs = systemClock.now() - before
      world.engine.always()
      await world.start()
      const [run] = await world.runsOfTheDead()
      const next = await world.undisturbedRun()

      expect(exit).toEqual({ code: 0, signal: null })
      expect(tookMs).toBeLessThan(seconds(10))
      expect(run).toMatchObject({ status: 'interrupted', submitted: 0 })
      expect(next).toMatchObject({ status: 'succeeded', submitted: URLS })
    },
    LONG,
  )
})

type Moment = Promise<unknown>

/** What one life of the server sent to a stand-in. */
interface Life {
  /** Accepted in this life, and again in a later one. */
  readonly repeated: readonly string[]
  readonly lastBatch: readonly string[]
}

interface FaultWorld {
  readonly site: SiteStandIn
  readonly engine: IndexNowEngine
  readonly bing: Bing
  bingSettings(): Readonly<Record<string, unknown>>
  allUrls(): string[]
  /** The first `count` of all pages are in the sitemap from now on. */
  publish(count: number): void
  addSite(settings: Readonly<Record<string, unknown>>): Promise<void>
  /** Starts another server over the same data; what was there is gone by then. */
  start(): Promise<RunningServer>
  trigger(): Promise<number>
  /** Those of earlier servers, newest first. */
  runsOfTheDead(): Promise<readonly ShownRun[]>
  quotaUsed(): Promise<number>
  /** Moments in a run, told before it begins. */
  reading(): Moment
  sending(requests?: number): Moment
  sendingToBing(): Moment
  killAt(moment: Moment): Promise<void>
  /** To its end, on the server that is there or on a new one, once nothing else is under way. */
  undisturbedRun(): Promise<ShownRun>
  livesAt(engine: IndexNowEngine): readonly Life[]
  complaints(): readonly string[]
}

async function openFaultWorld(): Promise<FaultWorld> {
  const clock = systemClock
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const engine = await openIndexNowEngine({ clock })
  const bing = await openBing({
    clock,
    apiKey: 'key-of-the-account',
    sites: [{ url: site.origin, dailyQuota: BING_QUOTA }],
  })
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close(), bing.close()])
  })
  const env = {
    SLUICE_DATA: join(temporaryFolder(), 'data'),
    SLUICE_ALLOW_PRIVATE: '1',
    ADMIN_TOKEN: TOKEN,
    BING_API_URL: bing.apiUrl,
    REQUEST_INTERVAL_MS: '1',
    RETRY_BASE_MS: '10',
    SITEMAP_RETRY_MS: '10',
    NODE_COMPILE_CACHE: compiled,
  }
  const starts: number[] = []
  let server: RunningServer | undefined
  let siteId = ''

  const ask = async <T>(path: string, body?: unknown, method = body ? 'POST' : 'GET') => {
    const response = await fetch(`${server?.url}${path}`, {
      method,
      headers: { ...bearer(TOKEN), 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as T }
  }
  const start = async () => {
    // What the one before had sent is read by now.
    await passing(10)
    starts.push(clock.now())
    const started = await startServer(env)
    server = started
    void started.exited.then(() => {
      if (server === started) server = undefined
    })
    return started
  }
  const trigger = async (query = '') => {
    const { status } = await ask(`/trigger${query}`, {}, 'POST')
    // The start may have begun one by itself; a dead one must not be in the way.
    if (status === 409) expect(server?.output()).toContain('"run.started"')
    return status
  }
  const runs = async () => (await ask<{ runs: ShownRun[] }>(`/api/sites/${siteId}/runs`)).body.runs
  const isOfThisLife = ({ startedAt }: ShownRun) => Date.parse(startedAt) >= (starts.at(-1) ?? 0)
  const publish = (count: number) => {
    const part = (file: number) =>
      paths(count)
        .filter((_, n) => n % FILES === file)
        .map((path) => site.url(path))
    const files = Array.from({ length: FILES }, (_, file) => file).filter(
      (file) => part(file).length > 0,
    )
    site.put({ '/sitemap.xml': sitemapIndex(...files.map((n) => site.url(`/part-${n}.xml`))) })
    for (const file of files) site.put({ [`/part-${file}.xml`]: urlset(...part(file)) })
  }
  publish(URLS)

  const ownUrls = paths(URLS).map((path) => site.url(path))
  return {
    site,
    engine,
    bing,
    bingSettings: () => ({
      bingEnabled: true,
      bingApiKey: 'key-of-the-account',
      bingDailyQuota: BING_QUOTA,
    }),
    allUrls: () => ownUrls.toSorted(),
    publish,
    async addSite(settings) {
      const warm = await start()
      const added = await ask<{ site: { id: string } }>('/api/sites', {
        sitemapUrl: site.url('/sitemap.xml'),
        apiKey: KEY,
        searchEngines: [engine.endpoint],
        maxConcurrentRequests: IN_FLIGHT,
        ...settings,
      })
      expect(added.status, JSON.stringify(added.body)).toBe(201)
      await warm.stop()
      siteId = added.body.site.id
    },
    start,
    trigger,
    runsOfTheDead: async () => (await runs()).filter((run) => !isOfThisLife(run)),
    async quotaUsed() {
      await start()
      const { body } = await ask<{ bing: { todayQuotaUsed: number } }>('/status')
      return body.bing.todayQuotaUsed
    },
    reading: () => arrivals(site, 1 + below(FILES + 1)),
    sending: (requests = 1 + below(20)) => arrivals(engine, requests),
    sendingToBing: () => arrivals(bing, 1),
    async killAt(moment) {
      const running = server ?? (await start())
      await trigger()
      const isOver = running.line('run.finished').catch(() => undefined)
      await Promise.race([moment, isOver])
      await passing(below(20))
      running.send('SIGKILL')
      await running.exited
    },
    async undisturbedRun() {
      const running = server ?? (await start())
      if ((await trigger('?wait=true')) === 409) await running.line('run.finished')
      const own = (await runs()).filter(isOfThisLife)
      await running.stop()
      // The start may have begun one by itself, and left nothing to do for ours.
      const sending = own.find((run) => run.new > 0) ?? own[0]
      if (!sending) throw new Error('there was no run')
      return sending
    },
    livesAt: (at) => livesOf(at, starts),
    complaints: () => [site, engine, bing].flatMap(({ complaints }) => complaints),
  }
}

async function arrivals(standIn: StandIn, count: number): Promise<void> {
  for (let left = count; left > 0; left--) await standIn.arrival()
}

function below(limit: number): number {
  return Math.floor(Math.random() * limit)
}

function livesOf({ received, requests }: IndexNowEngine, starts: readonly number[]): Life[] {
  const lifeAt = (at: number) => starts.findLastIndex((start) => start <= at)
  return starts.map((_, life) => {
    const lastBatch = requests.findLast(({ at }) => lifeAt(at) === life)?.body
    return {
      repeated: [...received]
        .filter(([, { times }]) => times.slice(0, -1).some((at) => lifeAt(at) === life))
        .map(([url]) => url),
      lastBatch: lastBatch ? (JSON.parse(lastBatch) as { urlList: string[] }).urlList : [],
    }
  })
}
