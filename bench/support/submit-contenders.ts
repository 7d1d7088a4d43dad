import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { readConfig } from '../../src/apps/read-config.ts'
import { guardedFetch } from '../../src/apps/node/guarded-fetch.ts'
import { serverRoutes } from '../../src/apps/server/routes.ts'
import { startServer } from '../../src/apps/server/start-server.ts'
import { type Clock, systemClock } from '../../src/core/clock.ts'
import { type LogLine, openLog } from '../../src/core/log.ts'
import { systemRandom } from '../../src/core/random.ts'
import { type Contender, type Measurement, timed } from './benchmark.ts'
import { fileCount, HOST, type SiteDay, sitemapFiles } from './submit-documents.ts'
import type { EngineCounts } from './submit-stand-in.ts'

const CHUNK_BYTES = 128 * 1024
const DAY_MS = 86_400_000
const ADMIN_TOKEN = 'token-of-the-benchmark'

/** The whole server, asked for the run; on the second day it may have found by itself that one is due. */
export const wholeRun = (name: string, count: number): Contender => ({
  name,
  steps: {
    'first day': (folder) => runServer(folder, { count, day: 1 }),
    'day after': (folder) => runServer(folder, { count, day: 2 }),
  },
})

/** The same for a site whose first day is all there is to see. */
export const firstRun = (name: string, count: number): Contender => ({
  name,
  steps: { 'first day': (folder) => runServer(folder, { count, day: 1 }) },
})

/** The same files, fetched the same way, and decompressed by Node with chunks as large; nothing is done with them. */
export const gunzipAlone = (name: string, count: number): Contender => {
  const inflateAll = async (folder: string, day: SiteDay['day']) => {
    const standIns = await openStandIns(folder, { count, day })
    const fetchFile = guardedFetch({ allowPrivate: true })
    const measured = await timed(async () => {
      for (let n = 0; n < fileCount(count); n++) {
        const response = await fetchFile(`${standIns.origin}/part-${n}.xml.gz`)
        await inflate(response.body ?? [])
      }
    })
    standIns.close()
    return measured
  }
  return {
    name,
    steps: {
      'first day': (folder) => inflateAll(folder, 1),
      'day after': (folder) => inflateAll(folder, 2),
    },
  }
}

async function inflate(file: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<void> {
  await pipeline(file, createGunzip({ chunkSize: CHUNK_BYTES }), async (chunks) => {
    for await (const _ of chunks);
  })
}

/** The same from memory, without a network. */
export const gunzipInMemory = (name: string, count: number): Contender => {
  const inflateAll = async (day: SiteDay['day']) => {
    const files = sitemapFiles({ count, day })
    return timed(async () => {
      for (const file of files) {
        await inflate([file])
      }
    })
  }
  return { name, steps: { 'first day': () => inflateAll(1), 'day after': () => inflateAll(2) } }
}

/** What a server takes that does nothing. */
export const idleServer: Contender = {
  name: 'idle server',
  steps: {
    'first day': (folder) =>
      timed(async () => {
        const server = await start(folder, { PORT: '0' }, { clock: systemClock, hear: () => {} })
        await server.stop(0)
      }),
  },
}

async function runServer(folder: string, { count, day }: SiteDay): Promise<Measurement> {
  const standIns = await openStandIns(folder, { count, day })
  const { origin } = standIns
  const heard = hearRun()
  const laterMs = (day - 1) * DAY_MS
  const clock = { ...systemClock, now: () => systemClock.now() + laterMs }
  const env = {
    PORT: '0',
    SLUICE_ALLOW_PRIVATE: '1',
    SITEMAP_URL: `${origin}/sitemap.xml`,
    SITE_HOST: HOST,
    ADMIN_TOKEN,
    INDEXNOW_API_KEY: 'a1b2c3d4e5f60718',
    INDEXNOW_SEARCH_ENGINES: `${origin}/indexnow`,
  }
  const server = await start(folder, env, { clock, hear: heard.hear })
  const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
  await fetch(`${server.url}/trigger`, { method: 'POST', headers })
  const { readMs, readCpuMs, totalMs, urls } = await heard.finished
  await server.stop(0)
  const { requests, urls: sent, ms: sendMs } = await standIns.counts()
  standIns.close()
  if (urls !== count) throw new Error(`${urls} URLs were read, not ${count}.`)
  return { ms: readMs, cpuMs: readCpuMs, totalMs, requests, sent, sendMs }
}

async function start(
  folder: string,
  env: Readonly<Record<string, string>>,
  { clock, hear }: { clock: Clock; hear: (line: LogLine) => void },
) {
  const settings = { SLUICE_DATA: join(folder, 'data'), ...env }
  const read = readConfig(settings, { version: '0.0.0', isTerminal: false })
  if (!read.ok) throw new Error(JSON.stringify(read.failure))
  const log = openLog({ clock, level: 'info', write: hear })
  const options = { config: read.value.config, clock, random: systemRandom, log }
  const started = await startServer({ ...options, routes: serverRoutes })
  if (!started.ok) throw new Error(JSON.stringify(started.failure))
  return started.value
}

interface HeardRun {
  readonly readMs: number
  readonly readCpuMs: number
  readonly totalMs: number
  readonly urls: number
}

/** The run's times, from what it logs. */
function hearRun() {
  let startedAt = 0
  let cpu = process.cpuUsage()
  let read = { readMs: 0, readCpuMs: 0, urls: 0 }
  let finish: (run: HeardRun) => void = () => {}
  const finished = new Promise<HeardRun>((done) => {
    finish = done
  })
  const hear = ({ event, ...fields }: LogLine) => {
    const ms = performance.now() - startedAt
    if (event === 'run.started') {
      startedAt = performance.now()
      cpu = process.cpuUsage()
    }
    // Each file has such a line; that of the whole says how many there were.
    if (event === 'sitemap.read' && 'files' in fields) {
      const { user, system } = process.cpuUsage(cpu)
      read = { readMs: ms, readCpuMs: (user + system) / 1_000, urls: Number(fields['total']) }
    }
    if (event === 'run.finished') finish({ ...read, totalMs: ms })
  }
  return { hear, finished }
}

interface StandIns {
  readonly origin: string
  counts(): Promise<EngineCounts>
  close(): void
}

/** On the same port on both days: the ledger knows the sitemap files by their addresses. */
async function openStandIns(folder: string, { count, day }: SiteDay): Promise<StandIns> {
  const kept = join(folder, 'port')
  const port = existsSync(kept) ? readFileSync(kept, 'utf8') : '0'
  const program = join(import.meta.dirname, 'submit-stand-in.ts')
  const child = fork(program, [String(count), String(day), port])
  const listening = String(await messageOf(child))
  writeFileSync(kept, listening)
  return {
    origin: `http://127.0.0.1:${listening}`,
    async counts() {
      child.send('counts')
      return (await messageOf(child)) as EngineCounts
    },
    close: () => child.disconnect(),
  }
}

async function messageOf(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, 'message')) as [unknown]
  return message
}
