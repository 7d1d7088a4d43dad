import { execFileSync } from 'node:child_process'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { nodeGunzip } from '../../src/apps/node/gunzip.ts'
import { type Gunzip, webGunzip } from '../../src/submit/sitemap/gunzip.ts'
import { openScan, type SitemapScan } from '../../src/submit/sitemap/scan.ts'
import { type Contender, type Measurement, timed } from './benchmark.ts'
import {
  type DocumentName,
  sitemapDocument,
  URL_COUNTS,
  zippedDocument,
} from './sitemap-documents.ts'

const CHUNK_BYTES = 64 * 1024

/** Reads a document and says how many URLs it found. Each URL and its date must have been at hand as strings or numbers. */
type Read = (bytes: Buffer) => number | Promise<number>

interface Reading {
  readonly read: Read
  readonly times: number
  /** Found by one that is known to be wrong. */
  readonly isInexact?: boolean
}

/** The first time in a fresh process, and the best of the times after it. */
async function measure(
  bytes: Buffer,
  expected: number,
  { read, times, isInexact }: Reading,
): Promise<Measurement> {
  const runs: Measurement[] = []
  for (let n = 0; n < times; n++) {
    let found = 0
    const thread = process.threadCpuUsage()
    const run = await timed(async () => {
      found = await read(bytes)
    })
    const { user, system } = process.threadCpuUsage(thread)
    if (found !== expected && !isInexact) throw new Error(`${found} of ${expected} URLs were found`)
    runs.push({ ...run, mainMs: (user + system) / 1_000 })
  }
  const [first, ...hot] = runs
  return {
    ms: Math.min(...hot.map(({ ms }) => ms)),
    cpuMs: Math.min(...hot.map(({ cpuMs = 0 }) => cpuMs)),
    mainMs: Math.min(...hot.map(({ mainMs = 0 }) => mainMs)),
    firstMs: first?.ms ?? 0,
  }
}

interface Repetitions {
  readonly plain: number
  readonly extended: number
}

const NAMES: readonly DocumentName[] = ['plain', 'extended']

function reader(name: string, read: Read, times: Repetitions, isInexact = false): Contender {
  const steps = NAMES.map((document) => [
    document,
    () =>
      measure(sitemapDocument(document), URL_COUNTS[document], {
        read,
        times: times[document],
        isInexact,
      }),
  ])
  return { name, steps: Object.fromEntries(steps) as Contender['steps'] }
}

function unzipper(name: string, read: Read, isInexact = false): Contender {
  const steps = NAMES.map((document) => [
    document,
    () => measure(zippedDocument(document), URL_COUNTS[document], { read, times: 12, isInexact }),
  ])
  return { name, steps: Object.fromEntries(steps) as Contender['steps'] }
}

/** The same where no other processor does a part of the work: all threads of the process share one. */
function onOneCore({ name, steps }: Contender): Contender {
  const pinned = Object.entries(steps).map(([step, work]) => [
    step,
    (folder: string) => {
      execFileSync('taskset', ['--all-tasks', '--cpu-list', '--pid', '0', `${process.pid}`])
      return work(folder)
    },
  ])
  return { name, steps: Object.fromEntries(pinned) as Contender['steps'] }
}

function* chunksOf(bytes: Buffer): Generator<Uint8Array> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    yield bytes.subarray(from, from + CHUNK_BYTES)
  }
}

/** Looks at everything, so that nobody gets away with work put off. */
let seen = 0

function see(loc: string, lastmod: string | number): void {
  seen += loc.length + (typeof lastmod === 'number' ? lastmod & 1 : lastmod.length)
}

function seeAll(scan: SitemapScan): number {
  const { count, locAt, lastmods } = scan.take()
  for (let i = 0; i < count; i++) see(locAt(i), lastmods[i] as number)
  return count
}

const MANY: Repetitions = { plain: 25, extended: 10 }
const SOME: Repetitions = { plain: 12, extended: 4 }
const FEW: Repetitions = { plain: 3, extended: 2 }

const newScan = () => openScan({ onDrop: () => undefined })

export const OURS = reader(
  'sluice',
  (bytes) => {
    const scan = newScan()
    let found = 0
    for (const chunk of chunksOf(bytes)) {
      scan.push(chunk)
      found += seeAll(scan)
    }
    scan.end()
    return found + seeAll(scan)
  },
  MANY,
)

export const SAXES = reader(
  'saxes',
  async (bytes) => {
    const { SaxesParser } = await import('saxes')
    const parser = new SaxesParser()
    const decoder = new TextDecoder()
    let found = 0
    let depth = 0
    let inEntry = false
    let field = ''
    let loc = ''
    let lastmod = ''
    const add = (text: string) => {
      if (depth !== 3 || field === '') return
      if (field === 'loc') loc += text
      else lastmod += text
    }
    parser.on('opentag', ({ name }) => {
      depth++
      if (depth === 2) inEntry = name === 'url'
      if (depth === 3) field = inEntry && (name === 'loc' || name === 'lastmod') ? name : ''
    })
    parser.on('text', add)
    parser.on('cdata', add)
    parser.on('closetag', () => {
      depth--
      if (depth !== 1 || !inEntry) return
      see(loc, lastmod)
      found++
      loc = ''
      lastmod = ''
    })
    for (const chunk of chunksOf(bytes)) parser.write(decoder.decode(chunk, { stream: true }))
    parser.close()
    return found
  },
  SOME,
)

export const FAST_XML_PARSER = reader(
  'fast-xml-parser',
  async (bytes) => {
    const { XMLParser } = await import('fast-xml-parser')
    const { urlset } = new XMLParser().parse(bytes.toString()) as {
      urlset: { url: readonly { loc: string; lastmod: string }[] }
    }
    for (const { loc, lastmod } of urlset.url) see(loc, lastmod)
    return urlset.url.length
  },
  FEW,
)

export const SITEMAP = reader(
  'sitemap',
  async (bytes) => {
    const { XMLToSitemapItemStream } = await import('sitemap')
    let found = 0
    const items = Readable.from(chunksOf(bytes)).pipe(new XMLToSitemapItemStream())
    for await (const { url, lastmod = '' } of items as AsyncIterable<{
      url: string
      lastmod?: string
    }>) {
      see(url, lastmod)
      found++
    }
    return found
  },
  FEW,
)

/** It reads nothing but what it has fetched, so that a local server is part of its time. */
export const SITEMAPPER = reader(
  'sitemapper',
  async (bytes) => {
    const { default: Sitemapper } = await import('sitemapper')
    const server = createServer((_, response) => void response.end(bytes))
    await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
    const { port } = server.address() as AddressInfo
    const sitemapper = new Sitemapper({
      url: `http://127.0.0.1:${port}/sitemap.xml`,
      timeout: 120_000,
    })
    const { sites } = await sitemapper.fetch()
    server.close()
    for (const loc of sites) see(loc, '')
    return sites.length
  },
  FEW,
)

const LOC = /<loc>([^<]*)<\/loc>/g

export const REGEX = reader(
  'a regex for <loc>',
  (bytes) => {
    let found = 0
    for (const [, loc = ''] of bytes.toString().matchAll(LOC)) {
      see(loc, '')
      found++
    }
    return found
  },
  SOME,
  true,
)

export const DECODE = reader(
  'limit: decoding alone',
  (bytes) => {
    const decoder = new TextDecoder()
    for (const chunk of chunksOf(bytes)) seen += decoder.decode(chunk, { stream: true }).length
    return 0
  },
  MANY,
  true,
)

const inflateAlone: Read = async (bytes) => {
  await inflate(bytes, (chunk) => void (seen += chunk.length))
  return 0
}

export const GUNZIP = unzipper('limit: gunzip alone', inflateAlone, true)
export const GUNZIP_ONE_CORE = onOneCore(
  unzipper('limit: gunzip alone, one core', inflateAlone, true),
)

function inflate(bytes: Buffer, take: (chunk: Buffer) => void): Promise<void> {
  return new Promise((done, failed) => {
    const stream = createGunzip({ chunkSize: CHUNK_BYTES })
    stream.on('data', take).on('end', done).on('error', failed)
    stream.end(bytes)
  })
}

const unzipped = (gunzip: Gunzip): Read => {
  return async (bytes) => {
    const scan = newScan()
    let found = 0
    const inflation = gunzip((chunk) => {
      scan.push(chunk)
      found += seeAll(scan)
    })
    for (const chunk of chunksOf(bytes)) await inflation.push(chunk)
    await inflation.end()
    scan.end()
    return found + seeAll(scan)
  }
}

export const OVERLAPPED = unzipper('sluice, overlapped', unzipped(nodeGunzip))
export const ONE_CORE = onOneCore(unzipper('sluice, one core', unzipped(nodeGunzip)))
export const PORTABLE = unzipper('sluice, DecompressionStream', unzipped(webGunzip))

/** What a process is before it reads, for the memory that reading takes. */
export const IDLE: Contender = {
  name: 'an idle process',
  steps: { '50 MB': () => timed(() => undefined), '1 GB': () => timed(() => undefined) },
}

export const ENDLESS: Contender = {
  name: 'sluice, generated on the fly',
  steps: { '50 MB': () => readEndless(50), '1 GB': () => readEndless(1_000) },
}

function readEndless(megabytes: number): Promise<Measurement> {
  return timed(() => {
    const scan = newScan()
    const piece = new Uint8Array(CHUNK_BYTES)
    const encoder = new TextEncoder()
    scan.push(encoder.encode('<urlset>'))
    for (let n = 0, bytes = 0; bytes < megabytes * 1_000_000; n++) {
      const { written } = encoder.encodeInto(endlessEntries(n), piece)
      scan.push(piece.subarray(0, written))
      seeAll(scan)
      bytes += written
    }
  })
}

function endlessEntries(n: number): string {
  return `<url>
  <loc>https://www.example.com/catalogue/section-${n % 97}/article-${n}.html</loc>
  <lastmod>2024-01-0${(n % 9) + 1}</lastmod>
  <image:image><image:loc>https://cdn.example.com/${n}.jpg</image:loc><image:title>Fluß ${n}</image:title></image:image>
</url>
`.repeat(250)
}
