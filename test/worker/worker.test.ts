import { describe, expect, it } from 'vitest'
import { systemClock as clock } from '../../src/core/clock.ts'
import { bingOf, sentTo } from '../scenarios/support.ts'
import { scenario } from '../support/scenario.ts'
import type { ShownRun } from '../../src/submit/shown-run.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'
import { addSite, putFiles, standIns } from './outside-worker.ts'
import { openWorker, until, type WorkerProcess } from './worker-process.ts'

const SLOW = 240_000

const runOf = async (worker: WorkerProcess, path: string) =>
  (await worker.api('GET', path)).body['run'] as ShownRun

const filesOf = (files: number, each: number) =>
  Array.from({ length: files }, (_, n) => sitemapOf(paths(each, n * each)))

interface Slice {
  readonly requests: number
  readonly urls: number
  readonly rowsWritten: number
}

/** Of the free plan, for all sites of an account together. */
const ROWS_WRITTEN_A_DAY = 100_000

/** What the slices of a run say of themselves. */
function slicesIn(output: string): Slice[] {
  return [...output.matchAll(/^\{.*"event":"run\.slice".*\}$/gm)].map(([line]) => JSON.parse(line))
}

describe('the Worker', () => {
  scenario(
    'X02',
    'a day of a site: added, run, looked at, submitted by hand, removed',
    async () => {
      const outside = await standIns()
      outside.site.put({ '/sitemap.xml': sitemapOf(paths(12)) })
      const bing = await bingOf({
        clock,
        apiKey: 'bing-key-0123456789abcdef',
        sites: [{ url: outside.site.origin, dailyQuota: 100 }],
      })
      const worker = await openWorker({ BING_API_URL: bing.apiUrl })
      await addSite(worker, outside, {
        bingEnabled: true,
        bingApiKey: 'bing-key-0123456789abcdef',
        bingDailyQuota: 5,
      })

      const triggered = await worker.api('POST', '/trigger?wait=true')

      const run = triggered.body['run'] as ShownRun
      expect(run).toMatchObject({ status: 'succeeded', total: 12, new: 12, submitted: 12 })
      expect(run.bing).toMatchObject({ total: 12, successful: 5, quotaUsed: 5, quotaRemaining: 0 })
      expect(sentTo(outside.engine).toSorted()).toEqual(paths(12).toSorted())
      expect(bing.accepted).toHaveLength(5)
      expect(outside.engine.complaints).toEqual([])

      expect(await runOf(worker, `/api/runs/${run.id}`)).toEqual(run)
      expect((await worker.api('GET', '/api/sites/shop/runs')).body['runs']).toEqual([run])
      const status = await worker.api('GET', '/status')
      expect(status.body).toMatchObject({ status: 'idle', siteId: 'shop' })
      const daily = (await worker.api('GET', '/api/stats/daily?days=1')).body['daily']
      expect(daily).toMatchObject([{ indexnow: { total: 12, successful: 12 } }])
      const url = encodeURIComponent(outside.site.url('/p/0'))
      const history = await worker.api('GET', `/api/sites/shop/urls?url=${url}`)
      expect((history.body['states'] as { status: string }[])[0]).toMatchObject({
        status: 'accepted',
      })
      const hook = await worker.api('POST', '/api/urls', {
        site: 'shop',
        urls: [outside.site.url('/new')],
      })
      expect(hook).toMatchObject({ status: 200, body: { submitted: 1 } })
      const keyFile = await fetch(`${worker.url}/${KEY}.txt`)
      expect([keyFile.status, await keyFile.text()]).toEqual([200, KEY])
      expect((await fetch(`${worker.url}/not-a-key-of-ours.txt`)).status).toBe(404)
      expect((await fetch(`${worker.url}/api/sites`)).status).toBe(401)
      expect((await worker.api('GET', '/status?site=nobody')).status).toBe(404)
      expect((await worker.api('GET', '/api/runs/run-nobody')).status).toBe(404)
      expect((await worker.api('GET', '/openapi.json')).status).toBe(200)

      expect((await worker.api('DELETE', '/api/sites/shop')).status).toBe(200)
      expect((await worker.api('GET', '/api/sites')).body['sites']).toEqual([])
      expect((await worker.api('GET', '/api/sites/shop')).status).toBe(404)
      const logged = worker.output().replace(/^.*\[wrangler.*$/gm, '')
      expect(logged).toContain('run.finished')
      expect(logged).not.toContain(KEY)
      expect(logged).not.toContain('bing-key-0123456789abcdef')
    },
    SLOW,
  )

  scenario(
    'R02',
    'cron runs every site, once for each time; of many who trigger at once one is heard',
    async () => {
      const outside = await standIns()
      outside.site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
      const worker = await openWorker()
      await addSite(worker, outside)
      await addSite(worker, outside, { id: 'blog' })
      const runs = async (id: string) =>
        (await worker.api('GET', `/api/sites/${id}/runs`)).body['runs'] as ShownRun[]

      // A site that was added after the time has missed nothing.
      await worker.cron(new Date(clock.now()).toISOString())
      expect(await runs('shop')).toEqual([])
      const triggers = await Promise.all(
        Array.from({ length: 6 }, () => worker.api('POST', '/trigger?site=shop&wait=true')),
      )

      const statuses = triggers.map(({ status }) => status)
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThan(0)
      expect(statuses.filter((status) => status !== 200 && status !== 409)).toEqual([])
      expect(outside.engine.sentAgainTooSoon()).toEqual([])
      expect(sentTo(outside.engine).toSorted()).toEqual(paths(3).toSorted())
    },
    SLOW,
  )

  scenario(
    'S28',
    '50,000 URLs on the free plan: no slice uses more than it may, and each URL is sent once',
    async () => {
      const outside = await standIns()
      putFiles(outside, filesOf(10, 5_000))
      const worker = await openWorker()
      await addSite(worker, outside)

      const triggered = await worker.api('POST', '/trigger?wait=true')

      expect(triggered.body['run']).toMatchObject({
        status: 'succeeded',
        total: 50_000,
        submitted: 50_000,
      })
      const slices = slicesIn(worker.output())
      expect(slices.length).toBeGreaterThan(5)
      expect(Math.max(...slices.map(({ requests }) => requests))).toBeLessThanOrEqual(45)
      expect(Math.max(...slices.map(({ urls }) => urls))).toBeLessThanOrEqual(5_000)
      const rows = slices.reduce((sum, { rowsWritten }) => sum + rowsWritten, 0)
      expect(rows).toBeGreaterThan(256)
      expect(rows).toBeLessThan(ROWS_WRITTEN_A_DAY / 10)
      expect(outside.engine.received.size).toBe(50_000)
      expect(outside.engine.sentAgainTooSoon()).toEqual([])
    },
    SLOW,
  )

  scenario(
    'S29',
    'killed in the middle of reading and of sending, started again: the pending alarm goes on, nothing is lost',
    async () => {
      const outside = await standIns()
      putFiles(outside, filesOf(6, 4_000))
      const worker = await openWorker({ WORKERS_PLAN: 'free' })
      await addSite(worker, outside, { submitMode: 'post' })
      const started = await worker.api('POST', '/trigger')
      const id = String(started.body['runId'])

      await until(async () => slicesIn(worker.output()).length >= 2, worker.output)
      await worker.kill()
      await worker.start()
      await outside.engine.arrival()
      await worker.kill()
      await worker.start()

      let run: ShownRun | undefined
      await until(
        async () => {
          run = await runOf(worker, `/api/runs/${id}`)
          return run?.status !== 'running'
        },
        () => JSON.stringify(run) + worker.output(),
      )
      expect(run).toMatchObject({ status: 'succeeded', total: 24_000 })
      expect(outside.engine.received.size).toBe(24_000)
      // At most what was under way: one request of up to 10,000.
      expect(outside.engine.sentAgainTooSoon().length).toBeLessThanOrEqual(10_000)
      expect((await worker.api('GET', '/status')).body).toMatchObject({ status: 'idle' })
    },
    SLOW,
  )

  it(
    'without ADMIN_TOKEN lets nobody in, and says what to do',
    async () => {
      const worker = await openWorker({ ADMIN_TOKEN: '' })

      const answer = await worker.api('GET', '/api/sites')

      expect(answer.status).toBe(401)
      expect(answer.body.error?.message).toContain('wrangler secret put ADMIN_TOKEN')
    },
    SLOW,
  )
})
