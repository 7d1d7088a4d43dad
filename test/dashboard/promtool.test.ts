import { readdirSync, readFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { bingOf } from '../scenarios/support.ts'
import { bearer, type RunningServer, startServer } from '../server/support.ts'
import { openIndexNowEngine } from '../support/stand-ins/indexnow-engine.ts'
import { openSite } from '../support/stand-ins/site.ts'
import { breaks, type StandIn } from '../support/stand-ins/stand-in.ts'
import { KEY, paths, sitemapOf } from '../support/world.ts'
import { promtoolSays } from './promtool.ts'
import { readExposition } from './read-exposition.ts'

const ADMIN = 'admin-token-of-promtool'
const BING_KEY = '0123456789abcdef0123456789abcdef'
const clock = systemClock

it('X05 — promtool has nothing to say of the metrics of a server that submits and collects', async ({
  skip,
}) => {
  skip(
    promtoolSays('') === undefined,
    'no promtool on the PATH, nor one named by PROMTOOL: see CONTRIBUTING.md',
  )
  const server = await busyServer()

  const text = await (await fetch(`${server.url}/metrics`, { headers: bearer(ADMIN) })).text()

  expect(promtoolSays(text)).toEqual({ status: 0, stderr: '' })
  expect(
    readExposition(text)
      .map(({ name }) => name)
      .toSorted(),
  ).toEqual(everyMetric())
})

/** One site that has run, one whose run goes on, and an execution that has collected. */
async function busyServer(): Promise<RunningServer> {
  const site = await openSite({ clock, files: { [`/${KEY}.txt`]: KEY } })
  const silent = await openSite({ clock })
  const engine = await openIndexNowEngine({ clock })
  const bingSites = [{ url: site.origin, dailyQuota: 500 }]
  const bing = await bingOf({ clock, apiKey: BING_KEY, sites: bingSites })
  closeAtEnd(site, silent, engine)
  site.put({ '/sitemap.xml': sitemapOf(paths(3)) })
  silent.always(breaks('hang'))
  const server = await startServer({
    ADMIN_TOKEN: ADMIN,
    SLUICE_ALLOW_PRIVATE: '1',
    BING_API_URL: bing.apiUrl,
    COLLECT_PLATFORMS: 'page,xhs',
  })
  onTestFinished(() => server.send('SIGKILL'))
  const post = async (path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method: 'POST',
      headers: { ...bearer(ADMIN), 'content-type': 'application/json' },
      body: JSON.stringify(body),
    })
    if (!response.ok) throw new Error(`${path} ${response.status} ${await response.text()}`)
    return (await response.json()) as { data: Record<string, string> }
  }
  const settings = { apiKey: KEY, searchEngines: [engine.endpoint], requestIntervalMs: 0 }
  const withBing = { bingEnabled: true, bingApiKey: BING_KEY }
  const sitemapUrl = site.url('/sitemap.xml')
  await post('/api/sites', { ...settings, ...withBing, id: 'heard', sitemapUrl })
  await post('/api/sites', { ...settings, id: 'silent', sitemapUrl: silent.url('/sitemap.xml') })
  await post('/trigger?site=heard&wait=true')
  const asked = silent.arrival()
  await post('/trigger?site=silent')
  await asked
  await post('/v1/cookies', { cookie_name: 'one', platform: 'xhs', cookie: 'web_session=canary' })
  const note_id = '0123456789abcdef01234567'
  const note_url = `https://www.xiaohongshu.com/explore/${note_id}?xsec_token=AB1`
  await post('/v1/candidates', { items: [{ platform: 'xhs', note_id, note_url }] })
  const { data } = await post('/v1/executions', { workflow_name: String.raw`the "odd" \ one` })
  await post('/v1/candidates/claim', { execution_id: data['execution_id'] })
  return server
}

function closeAtEnd(...standIns: readonly StandIn[]): void {
  onTestFinished(async () => {
    await Promise.all(standIns.map((standIn) => standIn.close()))
  })
}

/** The names that a server can tell of. */
function everyMetric(): readonly string[] {
  const folder = 'src/dashboard/metrics'
  const sources = readdirSync(folder).map((file) => readFileSync(`${folder}/${file}`, 'utf8'))
  const names = sources.flatMap((source) => source.match(/(?<=')sluice_[a-z_]+(?=')/g) ?? [])
  return [...new Set(names)].toSorted()
}
