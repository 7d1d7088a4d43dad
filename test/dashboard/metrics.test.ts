import { readdirSync, readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { silentLog } from '../../src/core/log.ts'
import { Secret } from '../../src/core/secret.ts'
import { exposition } from '../../src/dashboard/metrics/exposition.ts'
import { metricsRoutes } from '../../src/dashboard/metrics/routes.ts'
import { httpApp } from '../../src/http/http-app.ts'
import { bingOf } from '../scenarios/support.ts'
import { countingRandom } from '../support/counting-random.ts'
import { scenario } from '../support/scenario.ts'
import { answers } from '../support/stand-ins/stand-in.ts'
import { openWorld, paths, sitemapOf, type World } from '../support/world.ts'
import { readExposition } from './read-exposition.ts'

const BING_KEY = '0123456789abcdef0123456789abcdef'
const READ = 'read-token-of-the-metrics'

function metricsOf({ clock, stores, side }: World) {
  const { sites, requests } = side.opened
  const metrics = metricsRoutes({
    clock,
    version: '1.2.3',
    startedAt: clock.now(),
    submit: { stores, defaults: sites.defaults },
    collect: stores,
    requests,
  })
  return httpApp({
    clock,
    random: countingRandom(),
    log: silentLog,
    tokens: { admin: new Secret('admin'), read: new Secret(READ), advice: '' },
    modules: [metrics],
  })
}

async function scrape(world: World) {
  const authorization = `Bearer ${READ}`
  const response = await metricsOf(world).request('/metrics', { headers: { authorization } })
  expect(response.headers.get('content-type')).toBe('text/plain; version=0.0.4; charset=utf-8')
  const families = readExposition(await response.text())
  return (name: string, labels: Readonly<Record<string, string>> = {}) =>
    families
      .flatMap(({ samples }) => samples)
      .find(
        (sample) =>
          sample.name === name &&
          Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
      )?.value
}

scenario('X05', 'a scrape tells what was run, sent and left', async () => {
  const world = await openWorld({ start: '2026-11-12T08:00:00Z' })
  world.site.put({ '/sitemap.xml': sitemapOf(paths(5)) })
  const bing = await bingOf({
    clock: world.clock,
    apiKey: BING_KEY,
    sites: [{ url: world.site.origin, dailyQuota: 500 }],
  })
  await world.restart({ BING_API_URL: bing.apiUrl })
  const site = await world.addSite({
    bingEnabled: true,
    bingApiKey: BING_KEY,
    bingDailyQuota: 20,
  })
  world.engine.script(answers(429, '', { 'retry-after': '1' }))
  await world.run()

  const metric = await scrape(world)

  const engine = world.engine.endpoint
  expect(metric('sluice_build_info', { version: '1.2.3' })).toBe(1)
  expect(metric('sluice_sites', { state: 'enabled' })).toBe(1)
  expect(metric('sluice_runs_total', { site, status: 'succeeded' })).toBe(1)
  expect(metric('sluice_engine_urls_total', { site, engine, outcome: 'successful' })).toBe(5)
  expect(metric('sluice_submissions_total', { site, channel: 'bing', outcome: 'accepted' })).toBe(5)
  expect(metric('sluice_last_success_timestamp_seconds', { site })).toBeGreaterThan(0)
  expect(metric('sluice_bing_quota_remaining', { site })).toBe(15)
  expect(metric('sluice_alerts_firing', { severity: 'P1' })).toBe(0)
  expect(metric('sluice_candidates', { state: 'pending' })).toBe(0)
  expect(metric('sluice_outbox_depth')).toBe(0)
  const host = new URL(engine).host
  const durations = { host, outcome: '429' }
  expect(metric('sluice_request_duration_seconds_count', durations)).toBe(1)
})

scenario('X05', 'metrics need a token, and nothing in them is a key', async () => {
  const world = await openWorld()
  world.site.put({ '/sitemap.xml': sitemapOf(paths(1)) })
  await world.addSite()
  await world.run()
  const app = metricsOf(world)

  const stranger = await app.request('/metrics')
  const headers = { authorization: `Bearer ${READ}` }
  const text = await (await app.request('/metrics', { headers })).text()

  expect(stranger.status).toBe(401)
  expect(text).not.toContain('a1b2c3d4e5f60718')
})

it('whatever stands in a label is read back as it was', () => {
  const odd = 'a"b\\c\nd{e="f"},é'
  const text = exposition([
    {
      name: 'odd',
      help: 'two\nlines \\',
      type: 'gauge',
      samples: [{ labels: { odd }, value: 1.5 }],
    },
    { name: 'empty', help: 'nothing', type: 'gauge', samples: [] },
  ])

  const read = readExposition(text)

  expect(read).toEqual([
    {
      name: 'odd',
      type: 'gauge',
      help: String.raw`two\nlines \\`,
      samples: [{ name: 'odd', labels: { odd }, value: 1.5 }],
    },
  ])
})

it('the board for Grafana and the documentation name no metric that does not exist, nor leave one out', async () => {
  const sources = readdirSync('src/dashboard/metrics')
    .map((file) => readFileSync(`src/dashboard/metrics/${file}`, 'utf8'))
    .join('\n')
  const named = (text: string) => new Set(text.match(/\bsluice_[a-z_]+[a-z]/g))
  const made = new Set([...sources.matchAll(/'(sluice_[a-z_]+)'/g)].map(([, name]) => name))

  const documented = named(readFileSync('docs/dashboard.md', 'utf8'))
  const drawn = [...named(readFileSync('docs/grafana.json', 'utf8'))]

  expect(documented).toEqual(made)
  const unknown = drawn.filter((name) => !made.has(name.replace(/_(bucket|count|sum)$/, '')))
  expect(unknown).toEqual([])
})
