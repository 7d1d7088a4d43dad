import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { createGunzip } from 'node:zlib'
import { bundle } from '../../scripts/pack/bundle.ts'
import { guardedFetch } from '../../src/apps/node/guarded-fetch.ts'
import type { FinishedRun, ServerUp } from '../inside/submit-server.ts'
import { type Contender, type Measurement, timed } from './benchmark.ts'
import { fileCount, HOST, type SiteDay, sitemapFiles } from './submit-documents.ts'
import type { EngineCounts } from './submit-stand-in.ts'

const CHUNK_BYTES = 128 * 1024
const ADMIN_TOKEN = 'token-of-the-benchmark'

/** As the container starts it, with its MALLOC_ARENA_MAX. */
const SERVER_OPTIONS = ['--max-semi-space-size=2', '--heap-growing-percent=20']

/** The whole server, asked for the run. */
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
    const { signal } = new AbortController()
    const ask = { method: 'GET', headers: {}, redirect: 'manual', signal } as const
    const measured = await timed(async () => {
      for (let n = 0; n < fileCount(count); n++) {
        const response = await fetchFile(`${standIns.origin}/part-${n}.xml.gz`, ask)
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
    'first day': async (folder) => {
      const started = performance.now()
      const server = await openServer(folder, 1, {})
      const ms = performance.now() - started
      await server.stop()
      return { ms, peakMb: server.peakMb }
    },
  },
}

async function runServer(folder: string, { count, day }: SiteDay): Promise<Measurement> {
  const standIns = await openStandIns(folder, { count, day })
  const { origin } = standIns
  const server = await openServer(folder, day, {
    SITEMAP_URL: `${origin}/sitemap.xml`,
    SITE_HOST: HOST,
    INDEXNOW_API_KEY: 'a1b2c3d4e5f60718',
    INDEXNOW_SEARCH_ENGINES: `${origin}/indexnow`,
  })
  const { urls, ...measured } = await server.run()
  await server.stop()
  const { requests, urls: sent, ms: sendMs } = await standIns.counts()
  standIns.close()
  if (urls !== count) throw new Error(`${urls} URLs were read, not ${count}.`)
  return { ...measured, requests, sent, sendMs }
}

interface BenchServer {
  /** Before any run. */
  readonly peakMb: number
  run(): Promise<FinishedRun>
  stop(): Promise<void>
}

/** Packed and started as it is shipped, in a process of its own: nothing of the benchmark is in its memory. */
async function openServer(
  folder: string,
  day: SiteDay['day'],
  settings: Readonly<Record<string, string>>,
): Promise<BenchServer> {
  const program = join(folder, 'server.js')
  if (!existsSync(program)) {
    const { text } = await bundle(join('bench', 'inside', 'submit-server.ts'))
    writeFileSync(program, text)
  }
  const child = fork(program, [`${day - 1}`], {
    execArgv: SERVER_OPTIONS,
    env: {
      MALLOC_ARENA_MAX: '2',
      PORT: '0',
      SLUICE_DATA: join(folder, 'data'),
      SLUICE_ALLOW_PRIVATE: '1',
      ADMIN_TOKEN,
      ...settings,
    },
  })
  const { url, peakMb } = (await messageOf(child)) as ServerUp
  return {
    peakMb,
    async run() {
      const finished = messageOf(child)
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` }
      // On the second day it may have found by itself that a run is due.
      await fetch(`${url}/trigger`, { method: 'POST', headers })
      return (await finished) as FinishedRun
    },
    async stop() {
      const gone = once(child, 'exit')
      child.send('stop')
      await gone
    },
  }
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
