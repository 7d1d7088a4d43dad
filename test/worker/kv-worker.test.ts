import { describe, expect } from 'vitest'
import { systemClock as clock } from '../../src/core/clock.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { bingOf, sentTo } from '../scenarios/support.ts'
import { scenario } from '../support/scenario.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'
import { addSite, putFiles, type StandIns, standIns } from './outside-worker.ts'
import { openWorker, until, type WorkerProcess } from './worker-process.ts'

const SLOW = 240_000
const KV_CONFIG = 'wrangler.kv.jsonc'
const MASTER_KEY = 'master-key-of-the-kv-test-0123456789'

/** Of the free plan, for all sites of an account together. */
const KV_WRITES_A_DAY = 1_000
const REQUESTS_OF_AN_INVOCATION = 45

const openKvWorker = (vars: Readonly<Record<string, string>> = {}) =>
  openWorker({ COOKIE_MASTER_KEY: MASTER_KEY, ...vars }, KV_CONFIG)

/** Ten files of 5,000 pages; the first `changed` of each file have changed on that day. */
function putPages(outside: StandIns, { changed, day }: { changed: number; day: string }): void {
  const pages = (n: number) =>
    paths(5_000, n * 5_000).map((path, at) => [path, at < changed ? day : '2025-01-01'] as const)
  putFiles(
    outside,
    Array.from({ length: 10 }, (_, n) => sitemapOf(pages(n))),
  )
}

const linesOf = <T>(output: string, event: string): T[] =>
  [...output.matchAll(/^\{.*\}$/gm)]
    .map(([line]) => JSON.parse(line) as T & { readonly event: string })
    .filter((line) => line.event === event)

const writesIn = (output: string) =>
  linesOf<{ writes: number }>(output, 'kv.used').reduce((sum, { writes }) => sum + writes, 0)

const requestsIn = (output: string) =>
  linesOf<{ requests: number }>(output, 'run.slice').map(({ requests }) => requests)

/** Pokes as the cron does, every five minutes, until the run is over. */
async function runByCron(worker: WorkerProcess): Promise<ShownRun> {
  const { body } = await worker.api('POST', '/trigger')
  let run: ShownRun | undefined
  await until(
    async () => {
      await worker.cron(new Date(clock.now()).toISOString())
      run = (await worker.api('GET', `/api/runs/${String(body['runId'])}`)).body['run'] as ShownRun
      return run.status !== 'running'
    },
    () => `${JSON.stringify(run)}${worker.output().slice(-3_000)}`,
  )
  return run as ShownRun
}

describe('the Worker on KV alone', () => {
  scenario(
    'X02',
    'a day of a site: added, run, looked at, submitted by hand, removed',
    async () => {
      const outside = await standIns()
      outside.site.put({ '/sitemap.xml': sitemapOf(paths(12)) })
      const apiKey = 'bing-key-0123456789abcdef'
      const sites = [{ url: outside.site.origin, dailyQuota: 100 }]
      const bing = await bingOf({ clock, apiKey, sites })
      const worker = await openKvWorker({ BING_API_URL: bing.apiUrl })
      await addSite(worker, outside, { bingEnabled: true, bingApiKey: apiKey, bingDailyQuota: 5 })

      const triggered = await worker.api('POST', '/trigger?wait=true')

      const run = triggered.body['run'] as ShownRun
      expect(run).toMatchObject({ status: 'succeeded', total: 12, new: 12, submitted: 12 })
      expect(run.bing).toMatchObject({ total: 12, successful: 5, quotaUsed: 5, quotaRemaining: 0 })
      expect(sentTo(outside.engine).toSorted()).toEqual(paths(12).toSorted())
      expect(bing.accepted).toHaveLength(5)
      expect((await worker.api('GET', `/api/runs/${run.id}`)).body['run']).toEqual(run)
      expect((await worker.api('GET', '/api/sites/shop/runs')).body['runs']).toEqual([run])
      expect((await worker.api('GET', '/status')).body).toMatchObject({ status: 'idle' })
      const daily = (await worker.api('GET', '/api/stats/daily?days=1')).body['daily']
      expect(daily).toMatchObject([{ indexnow: { total: 12, successful: 12 } }])
      const url = encodeURIComponent(outside.site.url('/p/0'))
      const history = await worker.api('GET', `/api/sites/shop/urls?url=${url}`)
      expect(history.body['states']).toMatchObject([{ status: 'accepted' }, {}])
      const urls = [outside.site.url('/new')]
      const hook = await worker.api('POST', '/api/urls', { site: 'shop', urls })
      expect(hook).toMatchObject({ status: 200, body: { submitted: 1 } })
      const keyFile = await fetch(`${worker.url}/${KEY}.txt`)
      expect([keyFile.status, await keyFile.text()]).toEqual([200, KEY])
      expect((await fetch(`${worker.url}/api/sites`)).status).toBe(401)
      expect((await worker.api('GET', '/ready')).status).toBe(200)

      const again = (await worker.api('POST', '/trigger?wait=true')).body['run']
      expect(again).toMatchObject({ status: 'succeeded', new: 0, cached: 12 })

      expect((await worker.api('DELETE', '/api/sites/shop')).status).toBe(200)
      expect((await worker.api('GET', '/api/sites/shop')).status).toBe(404)
      const logged = worker.output().replace(/^.*\[wrangler.*$/gm, '')
      expect(logged).toContain('run.finished')
      for (const secret of [KEY, apiKey, MASTER_KEY]) expect(logged).not.toContain(secret)
    },
    SLOW,
  )

  scenario(
    'S28',
    '50,000 URLs on the free plan: cron after cron goes on, within the writes of a day',
    async () => {
      const outside = await standIns()
      putPages(outside, { changed: 0, day: '2025-01-01' })
      const worker = await openKvWorker()
      await addSite(worker, outside)

      const first = await runByCron(worker)
      const firstDay = worker.output()
      putPages(outside, { changed: 250, day: '2025-06-01' })
      const second = await runByCron(worker)
      const secondDay = worker.output().slice(firstDay.length)
      await worker.cron(new Date(clock.now()).toISOString())
      const quiet = worker.output().slice(firstDay.length + secondDay.length)

      expect(first).toMatchObject({ status: 'succeeded', total: 50_000, submitted: 50_000 })
      const story = `${JSON.stringify(second)}\n${secondDay.slice(-5_000)}`
      expect(second, story).toMatchObject({ status: 'succeeded', new: 2_500, submitted: 2_500 })
      expect(outside.engine.received.size).toBe(50_000)
      for (const day of [firstDay, secondDay]) {
        expect(requestsIn(day).length).toBeGreaterThan(5)
        expect(Math.max(...requestsIn(day))).toBeLessThanOrEqual(REQUESTS_OF_AN_INVOCATION)
        expect(writesIn(day)).toBeGreaterThan(20)
        expect(writesIn(day)).toBeLessThanOrEqual(KV_WRITES_A_DAY)
      }
      // What happens 288 times a day must cost nothing.
      expect(writesIn(quiet)).toBe(0)
    },
    SLOW,
  )
})
