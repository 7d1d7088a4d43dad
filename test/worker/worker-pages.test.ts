import { describe, expect } from 'vitest'
import { EN } from '../../src/dashboard/words/en.ts'
import { readExposition } from '../dashboard/read-exposition.ts'
import { scenario } from '../support/scenario.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'
import { standIns } from './outside-worker.ts'
import { openWorker, TOKEN, until, type WorkerProcess } from './worker-process.ts'
import { visitWorker } from './worker-visitor.ts'

const SLOW = 240_000

/** The same pages and numbers, wherever a site is kept. */
const STORES = {
  'in objects': () => openWorker(),
  'in KV': () =>
    openWorker({ COOKIE_MASTER_KEY: 'master-key-of-the-pages-test-012345' }, 'wrangler.kv.jsonc'),
}

async function metricsOf(worker: WorkerProcess) {
  const headers = { authorization: `Bearer ${TOKEN}` }
  const families = readExposition(await (await fetch(`${worker.url}/metrics`, { headers })).text())
  return (wanted: string) =>
    families.flatMap(({ samples }) => samples).find(({ name }) => name === wanted)?.value
}

describe.each(Object.entries(STORES))(
  'the pages of a Worker that keeps sites %s',
  (where, open) => {
    scenario(
      'X06',
      `a day at the dashboard, ${where}: a site is added, run, looked at, paused and removed`,
      async () => {
        const { site, engine } = await standIns()
        site.put({ '/sitemap.xml': sitemapOf(paths(7)) })
        const worker = await open()
        const visitor = await visitWorker(worker.url, TOKEN)
        const textOf = async (path: string) => (await visitor.get(path)).text()

        const stranger = await fetch(`${worker.url}/alerts`, { redirect: 'manual' })
        expect([stranger.status, stranger.headers.get('location')]).toEqual([
          303,
          '/login?to=%2Falerts',
        ])
        expect(await textOf('/')).toContain(EN.noSites)
        const added = await visitor.send('/sites/new', '/sites/new', {
          id: 'shop',
          sitemapUrl: site.url('/sitemap.xml'),
          apiKey: KEY,
          searchEngines: engine.endpoint,
          enabled: 'yes',
        })
        expect(added.status, await added.text()).toBe(303)
        const place = new URL(added.headers.get('location') ?? '', worker.url).pathname
        expect(await textOf(place)).toContain(engine.origin.replace('http://', ''))

        const started = await visitor.send(place, `${place}/run`)
        const run = started.headers.get('location') ?? ''
        expect(run).toMatch(/^\/runs\/run-/)
        await until(
          async () => (await visitor.get(`${run}/live`)).headers.get('sluice-live') === 'over',
          worker.output,
        )
        expect(engine.received.size).toBe(7)

        expect(await textOf(run)).toContain(EN.succeeded)
        await until(async () => (await textOf('/')).includes(EN.succeeded), worker.output)
        expect(await textOf(`${place}?url=${encodeURIComponent(site.url('/p/0'))}`)).toContain(
          engine.origin.replace('http://', ''),
        )
        expect(await textOf('/alerts')).toContain(EN.noAlerts)
        expect(await textOf('/docs')).toContain('/api/stats/daily')
        expect(await textOf('/sites/nobody')).toContain('<html')
        expect((await visitor.get('/sites/nobody')).status).toBe(404)
        expect((await visitor.get('/collect')).status).toBe(404)
        const style = await fetch(`${worker.url}/assets/sluice.css`)
        expect([style.status, style.headers.get('content-type')]).toEqual([
          200,
          'text/css; charset=utf-8',
        ])
        expect(await style.text()).toContain('{')
        expect((await visitor.get('/assets/uplot.js')).status).toBe(200)
        const csv = await textOf(`${place}/runs.csv`)
        expect(csv.split('\r\n')).toHaveLength(3)

        const valueOf = await metricsOf(worker)
        expect(valueOf('sluice_sites')).toBe(1)
        expect(valueOf('sluice_runs_total')).toBe(1)
        expect(valueOf('sluice_submissions_total')).toBe(7)
        expect(valueOf('sluice_slices_total')).toBe(1)
        expect(valueOf('sluice_slice_requests_total')).toBeGreaterThan(2)
        const written = where === 'in KV' ? 'sluice_kv_writes_total' : 'sluice_rows_written_total'
        expect(valueOf(written)).toBeGreaterThan(5)

        site.put({ '/sitemap.xml': sitemapOf([]) })
        await worker.api('POST', '/trigger?wait=true')
        await until(async () => (await textOf('/alerts')).includes(EN.acknowledge), worker.output)
        const alerts = await textOf('/alerts')
        const key = /name="key" value="([^"]+)"/.exec(alerts)?.[1] ?? ''
        const acknowledged = await visitor.send('/alerts', '/alerts/acknowledge', { key })
        expect(acknowledged.headers.get('location')).toBe('/alerts?done=acknowledged')
        expect(await textOf('/alerts')).toContain(EN.acknowledgedBy('admin'))

        const paused = await visitor.send(place, `${place}/enabled`, { enabled: 'no' })
        expect(paused.headers.get('location')).toContain('done=paused')
        expect((await metricsOf(worker))('sluice_sites')).toBe(0)
        const removed = await visitor.send(place, `${place}/remove`)
        expect(removed.headers.get('location')).toBe('/?done=removed')
        expect(await textOf('/')).toContain(EN.noSites)
        const requests = worker.output().match(/"path":"\/docs"/g) ?? []
        expect(requests).toHaveLength(1)
      },
      SLOW,
    )
  },
)
