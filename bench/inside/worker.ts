import { openLedger } from '../../src/core/ledger/ledger.ts'
import { judgeUrls, originsOf } from '../../src/submit/sitemap/judge-url.ts'
import { READERS, type ReaderName, type Take } from './readers.ts'

const CHUNK_BYTES = 256 * 1024
const HOST = 'www.example.com'
const NOW_SECONDS = 1_760_000_000
const TTL_SECONDS = 30 * 86_400
const ENGINES = ['engine']

/** What a run does with what it reads: nothing, or a first run's choice, or that of the day after. */
export type Work = 'read' | 'first day' | 'day after'

let chunks: readonly Uint8Array[] = []
let known: ReadonlyMap<number, Uint8Array> = new Map()
/** Looked at, so that nobody gets away with work put off. */
let seen = 0

/**
 * Inside of workerd, whose clock stands still while it works: whoever asks has the clock, and asks for so much at once
 * that the asking does not count.
 */
export default {
  async fetch(request: Request): Promise<Response> {
    if (request.method === 'PUT') {
      const bytes = new Uint8Array(await request.arrayBuffer())
      const parts = Math.ceil(bytes.length / CHUNK_BYTES)
      chunks = Array.from({ length: parts }, (_, n) =>
        bytes.slice(n * CHUNK_BYTES, (n + 1) * CHUNK_BYTES),
      )
      known = choose('sluice', new Map()).shards
      return new Response('')
    }
    const query = new URL(request.url).searchParams
    const reader = query.get('reader') as ReaderName
    const work = query.get('work') as Work
    const times = Number(query.get('times'))
    let urls = 0
    for (let n = 0; n < times; n++) urls = once(reader, work)
    return Response.json({ urls, seen })
  },
}

function once(reader: ReaderName, work: Work): number {
  if (work !== 'read') return choose(reader, work === 'first day' ? new Map() : copyOf(known)).urls
  let urls = 0
  const take: Take = ({ count, locAt, lastmods }) => {
    for (let i = 0; i < count; i++) seen += locAt(i).length + ((lastmods[i] as number) & 1)
    urls += count
  }
  READERS[reader](chunks, take, [])
  return urls
}

/** The same for all readers: whose URL it is, what is known of it, and where it is due. */
function choose(reader: ReaderName, shards: ReadonlyMap<number, Uint8Array>) {
  const ledger = openLedger({ engines: ENGINES, shards, outcomes: [] })
  const rule = { nowSeconds: NOW_SECONDS, ttlSeconds: TTL_SECONDS, engines: 1, baseline: 1 }
  const reading = ledger.openReading(rule)
  const origins = originsOf(HOST)
  let urls = 0
  const take: Take = (batch) => {
    const judged = judgeUrls(batch, { origins, onInvalid: () => undefined })
    reading.expect(judged.hashes)
    for (let i = 0; i < judged.count; i++) {
      const high = judged.hashes[2 * i] as number
      const low = judged.hashes[2 * i + 1] as number
      seen += reading.judge(high, low, judged.lastmods[i] as number, 1).due
    }
    urls += judged.count
  }
  READERS[reader](chunks, take, origins.canonical)
  return { urls, shards: reading.finish({ complete: true }).shards }
}

/** A ledger works on the bytes it is given. */
function copyOf(shards: ReadonlyMap<number, Uint8Array>): Map<number, Uint8Array> {
  return new Map(Array.from(shards, ([prefix, bytes]) => [prefix, bytes.slice()]))
}
