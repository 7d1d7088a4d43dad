import {
  closeSync,
  createReadStream,
  existsSync,
  fsyncSync,
  openSync,
  statSync,
  writeSync,
} from 'node:fs'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { DatabaseSync } from 'node:sqlite'
import { openLedger } from '../../src/core/ledger/ledger.ts'
import { packOutcomes, type Outcome } from '../../src/core/ledger/outcomes.ts'
import { packState } from '../../src/core/ledger/url-state.ts'
import { hashUrl } from '../../src/core/url-hash.ts'
import { timed, type Contender, type Measurement } from './benchmark.ts'
import { eachUrl, newsCount, nowOf, urlCount, type Day } from './urls.ts'

const TTL_SECONDS = 30 * 86_400
const ENGINE = 0b1

type Merge = (folder: string, day: Day) => Promise<Measurement>

function contender(name: string, count: number, merge: Merge): Contender {
  return {
    name,
    steps: {
      'first day': (folder) => merge(folder, { number: 1, count }),
      'day after': (folder) => merge(folder, { number: 2, count }),
    },
  }
}

/** The URLs alone: what all contenders pay alike, to be subtracted. */
export const urlsOnly = (count: number) =>
  contender('urls alone', count, (_, day) =>
    timed(() => {
      let sum = 0
      eachUrl(day, (url) => (sum += url.charCodeAt(url.length - 1)))
      if (sum === 0) throw new Error('There were no URLs.')
    }),
  )

export const packed = (name: string, count: number) =>
  contender(name, count, async (folder, day) => {
    const file = join(folder, 'ledger.db')
    const run = await timed(() => mergePacked(file, day))
    return { ...run, bytesPerUrl: statSync(file).size / urlCount(day) }
  })

function mergePacked(file: string, day: Day): void {
  const database = openShards(file)
  const ledger = openLedger({ engines: ['one'], shards: loadShards(database), outcomes: [] })
  const rule = { nowSeconds: nowOf(day), ttlSeconds: TTL_SECONDS, engines: ENGINE }
  // On the first day everything is remembered as sent, in one go, as the other contenders do.
  const reading = ledger.openReading(day.number === 1 ? { ...rule, baseline: ENGINE } : rule)
  const hash = new Uint32Array(2)
  let news = 0
  eachUrl(day, (url, lastmod) => {
    hashUrl(url, hash)
    const { isNew, due } = reading.judge(hash[0] as number, hash[1] as number, lastmod, 1)
    if (isNew || due !== 0) news++
  })
  saveShards(database, reading.finish({ complete: true }).shards)
  database.close()
  expectNews(news, day)
}

/** A first run that sends everything, batch by batch, each recorded durably; then the next run's opening. */
export const packedOutcomes = (count: number): Contender => ({
  name: 'packed ledger, outcomes',
  steps: {
    'recorded in batches': (folder) => timed(() => recordBatches(join(folder, 'ledger.db'), count)),
    'replayed and folded': (folder) => timed(() => foldOutcomes(join(folder, 'ledger.db'))),
  },
})

const BATCH = 10_000

function recordBatches(file: string, count: number): void {
  const database = openShards(file)
  database.exec('create table outcome (number integer primary key, entries blob not null)')
  const insert = database.prepare('insert into outcome (entries) values (?)')
  const hash = new Uint32Array(2)
  const stateByte = packState('accepted', 200)
  let entries: Outcome[] = []
  eachUrl({ number: 1, count }, (url, lastmod) => {
    hashUrl(url, hash)
    entries.push({ high: hash[0] as number, low: hash[1] as number, stateByte, lastmod })
    if (entries.length < BATCH) return
    insert.run(packOutcomes({ engine: 0, whenSeconds: 1, entries }))
    entries = []
  })
  database.close()
}

function foldOutcomes(file: string): void {
  const database = openShards(file)
  const rows = database.prepare('select entries from outcome order by number').all()
  const outcomes = rows.map((row) => row['entries'] as Uint8Array)
  const ledger = openLedger({ engines: ['one'], shards: loadShards(database), outcomes })
  saveShards(database, ledger.fold())
  database.close()
}

function openShards(file: string): DatabaseSync {
  const database = openDatabase(file)
  database.exec(
    'create table if not exists shard (prefix integer primary key, entries blob not null)',
  )
  return database
}

function loadShards(database: DatabaseSync): Map<number, Uint8Array> {
  const shards = new Map<number, Uint8Array>()
  for (const { prefix, entries } of database
    .prepare('select prefix, entries from shard')
    .iterate()) {
    shards.set(prefix as number, entries as Uint8Array)
  }
  return shards
}

function saveShards(database: DatabaseSync, shards: ReadonlyMap<number, Uint8Array>): void {
  const upsert = database.prepare(
    'insert into shard values (?, ?) on conflict do update set entries = excluded.entries',
  )
  database.exec('begin immediate')
  for (const [prefix, entries] of shards) upsert.run(prefix, entries)
  database.exec('commit')
}

/** What is simplest: a map in memory, written to a text file as a whole. */
export const mapOfStrings = (count: number) =>
  contender('map of strings, text file', count, async (folder, day) => {
    const file = join(folder, 'urls.txt')
    const run = await timed(async () => {
      const lastmods = await loadMap(file)
      let news = 0
      eachUrl(day, (url, lastmod) => {
        const known = lastmods.get(url)
        if (known !== undefined && lastmod <= known) return
        lastmods.set(url, lastmod)
        news++
      })
      saveMap(file, lastmods)
      expectNews(news, day)
    })
    return { ...run, bytesPerUrl: statSync(file).size / urlCount(day) }
  })

async function loadMap(file: string): Promise<Map<string, number>> {
  const lastmods = new Map<string, number>()
  if (!existsSync(file)) return lastmods
  for await (const line of createInterface(createReadStream(file))) {
    const [url = '', lastmod] = line.split(' ')
    lastmods.set(url, Number(lastmod))
  }
  return lastmods
}

const LINES_AT_ONCE = 10_000

function saveMap(file: string, lastmods: ReadonlyMap<string, number>): void {
  const handle = openSync(file, 'w')
  let lines: string[] = []
  for (const [url, lastmod] of lastmods) {
    if (lines.push(`${url} ${lastmod}\n`) < LINES_AT_ONCE) continue
    writeSync(handle, lines.join(''))
    lines = []
  }
  writeSync(handle, lines.join(''))
  fsyncSync(handle)
  closeSync(handle)
}

/** What is usual: a row per URL, written only where it is new or changed. */
export const upsertByUrl = (count: number) =>
  upserts('SQLite upsert, URL as key', count, 'text', (url) => url)

export const upsertByHash = (count: number) => {
  const hash = new Uint32Array(2)
  return upserts('SQLite upsert, hash as key', count, 'integer', (url) => {
    hashUrl(url, hash)
    // 53 bits: what a number holds. All 64 would have to be a BigInt, which is slower.
    return ((hash[0] as number) >>> 11) * 2 ** 32 + (hash[1] as number)
  })
}

type KeyOf = (url: string) => string | number

function upserts(name: string, count: number, type: 'text' | 'integer', keyOf: KeyOf): Contender {
  return contender(name, count, async (folder, day) => {
    const file = join(folder, 'urls.db')
    const run = await timed(() => mergeRows(file, { day, type, keyOf }))
    return { ...run, bytesPerUrl: statSync(file).size / urlCount(day) }
  })
}

function mergeRows(file: string, { day, type, keyOf }: { day: Day; type: string; keyOf: KeyOf }) {
  const database = openDatabase(file)
  // Rows are touched at random: without a cache that holds most of them this takes twice as long.
  database.exec('pragma cache_size = -64000')
  const layout = type === 'text' ? 'without rowid' : ''
  database.exec(
    `create table if not exists url (
       key ${type} primary key, lastmod integer not null, state integer not null, sent integer not null
     ) ${layout}`,
  )
  const upsert = database.prepare(
    `insert into url values (?, ?, ?, ?)
     on conflict do update set lastmod = excluded.lastmod, state = excluded.state, sent = excluded.sent
     where excluded.lastmod > lastmod`,
  )
  const now = nowOf(day)
  let news = 0
  database.exec('begin immediate')
  eachUrl(day, (url, lastmod) => {
    news += Number(upsert.run(keyOf(url), lastmod, 1, now).changes)
  })
  database.exec('commit')
  database.close()
  expectNews(news, day)
}

function openDatabase(file: string): DatabaseSync {
  const database = new DatabaseSync(file)
  database.exec('pragma journal_mode = wal; pragma synchronous = full')
  return database
}

function expectNews(news: number, day: Day): void {
  if (news !== newsCount(day))
    throw new Error(`Found ${news} new or changed, not ${newsCount(day)}.`)
}
