/**
 * Two days of a site of 20,000 pages in less than a minute, offline: the server of `npm start`, stand-ins for a site,
 * three IndexNow engines and Bing, real HTTP between them. Only the time is made up.
 *
 *   npm run demo                  stays up at the end, to look around; Ctrl-C ends it
 *   npm run demo -- --once        ends by itself
 *   npm run demo -- --data DIR    keeps the data there
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { days, hours } from '../src/core/duration.ts'
import { systemRandom } from '../src/core/random.ts'
import { utcDayOf } from '../src/core/utc-day.ts'
import type { ShownRun } from '../src/submit/shown-run.ts'
import { BING_QUOTA, type Engines, openEngines } from './engines.ts'
import {
  ADDED,
  CHANGED,
  DELETED,
  openGeneratedSite,
  PAGES,
  SITEMAP_FILES,
} from './generated-site.ts'
import { openJumpingClock } from './jumping-clock.ts'
import { startLiveServer } from './live-server.ts'
import { count, openNarrator } from './narrator.ts'
import { openProgressLine } from './progress-line.ts'

const KEY = systemRandom.uuid()
const BING_KEY = systemRandom.uuid()

const { values: wanted } = parseArgs({
  options: {
    once: { type: 'boolean', default: false },
    data: { type: 'string' },
    port: { type: 'string', default: '0' },
  },
})
const folder = wanted.data ?? mkdtempSync(join(tmpdir(), 'sluice-demo-'))
const began = Date.now()
const today = Math.floor(began / days(1)) * days(1)
const clock = openJumpingClock(today - hours(15))

const site = await openGeneratedSite({ clock, key: KEY, day: utcDayOf(clock.now()) })
const engines = await openEngines({ clock, site, bingKey: BING_KEY })
const narrator = openNarrator((engine) => engines.names.get(engine) ?? engine)
const progress = openProgressLine()
const server = await startLiveServer({
  clock,
  folder,
  port: wanted.port,
  bingApiUrl: engines.bing.apiUrl,
  hear: (line) => {
    progress.clear()
    narrator.hear(line)
  },
})

narrator.chapter('A site of 20,000 pages, three IndexNow engines and Bing, all on this machine')
narrator.say(
  `the site        ${site.origin}  (${count(PAGES)} pages in ${SITEMAP_FILES} gzipped sitemaps)`,
  `Friendly        ${engines.friendly.origin}  takes everything`,
  `Careful         ${engines.careful.origin}  takes everything, then checks the key file`,
  `Unfriendly      ${engines.unfriendly.origin}  429, 502, 503, and three pages it will never have`,
  `Bing            ${engines.bing.origin}  ${BING_QUOTA} pages a day, not one more`,
  `Sluice          ${server.url}  the server of \`npm start\`, its data in ${folder}`,
)

narrator.chapter(`Day 1, ${utcDayOf(clock.now())}: the first run, by hand (POST /trigger)`)
const siteId = await server.addSite({
  sitemapUrl: site.url('/sitemap.xml'),
  name: 'A site of 20,000 pages',
  apiKey: KEY,
  searchEngines: [...engines.names.keys()],
  submitDeleted: true,
  bingEnabled: true,
  bingApiKey: BING_KEY,
  bingDailyQuota: BING_QUOTA,
})
await server.trigger(siteId)
tell(await server.finished(siteId, 1, progress.show), engines)

narrator.chapter('Overnight')
site.edit(utcDayOf(today))
narrator.say(
  `the authors write ${ADDED} pages, change ${CHANGED} and take ${DELETED} down;`,
  'then the clock jumps to midnight UTC, and the schedule of the server starts the run by itself',
)

narrator.chapter(`Day 2, ${utcDayOf(today)}: only what is new, changed or gone`)
clock.jumpTo(today)
const second = await server.finished(siteId, 2, progress.show)
tell(second, engines)
clock.jumpTo(Date.now())

narrator.chapter('What came of it')
narrator.say(
  `${count(second.cached)} of ${count(second.total)} pages were not sent again: every engine had answered for them`,
  `${second.deleted} deleted pages were found, checked (404) and reported`,
  `sent twice within ten minutes: ${sentTwice(engines)}; over Bing's quota: ${engines.bing.overQuota.length}; complaints of any stand-in: ${complaints(engines)}`,
  `two days took ${((Date.now() - began) / 1000).toFixed(1)} s`,
)

if (wanted.once) {
  await end()
} else {
  narrator.chapter('Look around')
  narrator.say(
    `open ${server.url} in a browser; the token is in ${server.tokenFile}`,
    `export SLUICE=${server.url} AUTH="Authorization: Bearer $(cat ${server.tokenFile})"`,
    `curl -H "$AUTH" "$SLUICE/status?site=${siteId}"`,
    `curl -H "$AUTH" "$SLUICE/api/sites/${siteId}/runs"`,
    `curl -H "$AUTH" "$SLUICE/api/stats/daily?days=2"`,
    '',
    `${server.url} stays up. Ctrl-C ends it${wanted.data ? '.' : ' and removes its data.'}`,
  )
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => void end())
}

async function end(): Promise<void> {
  await server.stop()
  await Promise.all([site.close(), engines.close()])
  if (!wanted.data) rmSync(folder, { recursive: true, force: true })
  process.exit(0)
}

function tell(run: ShownRun, { names }: Engines): void {
  progress.clear()
  const rows = run.engines.map(
    ({ engine, total, successful, failed, averageMs }) =>
      `${(names.get(engine) ?? engine).padEnd(12)}${count(successful).padStart(8)} of ${count(total).padEnd(8)} accepted, ${failed} rejected, ${averageMs} ms a request`,
  )
  narrator.say(
    '',
    `${run.status}: ${count(run.total)} pages, ${count(run.new)} due, ${count(run.cached)} known, ${run.deleted} deleted`,
    ...rows,
  )
  if (!run.bing) return
  const { total, successful, quotaUsed } = run.bing
  narrator.say(
    `${'Bing'.padEnd(12)}${count(successful).padStart(8)} of ${count(total).padEnd(8)} accepted, ${quotaUsed} of ${BING_QUOTA} of the day's quota used`,
  )
}

function sentTwice({ friendly, careful, unfriendly }: Engines): number {
  return [friendly, careful, unfriendly].flatMap((engine) => engine.sentAgainTooSoon()).length
}

function complaints({ friendly, careful, unfriendly, bing }: Engines): number {
  return [site, friendly, careful, unfriendly, bing].flatMap((each) => each.complaints).length
}
