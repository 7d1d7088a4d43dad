import type { JsonObject } from '../../core/json.ts'
import { fail, ok } from '../../core/result.ts'
import type {
  KnownSitemap,
  LedgerChange,
  LedgerSnapshot,
  LedgerStore,
  UrlChunk,
} from '../ledger-store.ts'
import { type Database, first, json, orNull, type Sql } from './sql.ts'

/** Held by whoever numbers something of a site's ledger: numbers become visible in the order they are given. */
const NUMBERING = `pg_advisory_xact_lock(hashtextextended('sluice ledger ' || $1::text, 0))`

export function postgresLedgerStore(database: Database): LedgerStore {
  return {
    numberEngines: (siteId, names) =>
      database.transaction(async (sql) => {
        await sql.run(`select ${NUMBERING}`, siteId)
        for (const name of names) await addEngine(sql, siteId, name)
        return enginesOf(sql, siteId)
      }),
    load: (siteId) =>
      database.snapshot(async (sql) =>
        snapshotOf(
          sql,
          siteId,
          await sql.all<ShardRow>(
            'select prefix, entries from ledger_shard where site_id = $1',
            siteId,
          ),
        ),
      ),
    loadShard: (siteId, prefix) =>
      database.snapshot(async (sql) =>
        snapshotOf(
          sql,
          siteId,
          await sql.all<ShardRow>(
            'select prefix, entries from ledger_shard where site_id = $1 and prefix = $2',
            siteId,
            prefix,
          ),
        ),
      ),
    async record(siteId, outcomes) {
      // Without the lock a lower number could appear after "folded through" a higher one, and be dropped unread.
      await database.repeatable.run(
        `with numbering as materialized (select ${NUMBERING})
         insert into ledger_outcome (site_id, outcomes) select $1, $2 from numbering`,
        siteId,
        outcomes,
      )
    },
    write: (siteId, change) =>
      database.transaction(async (sql) => {
        const newerFence = await raiseFence(sql, siteId, change.fence)
        if (newerFence !== undefined) return fail({ kind: 'fenced-out', newerFence })
        await writeShards(sql, siteId, change)
        await foldOutcomes(sql, siteId, change)
        await writeSitemaps(sql, siteId, change)
        await writeLists(sql, siteId, change)
        return ok(undefined)
      }),
    chunks: (siteId) =>
      database.repeatable.all<UrlChunk>(
        'select list, number, count from ledger_url_chunk where site_id = $1 order by number',
        siteId,
      ),
    readChunk: async (siteId, { list, number }) =>
      first(
        await database.repeatable.all<{ urls: Uint8Array }>(
          'select urls from ledger_url_chunk where site_id = $1 and list = $2 and number = $3',
          siteId,
          list,
          number,
        ),
      )?.urls,
  }
}

interface ShardRow {
  readonly prefix: number
  readonly entries: Uint8Array
}

async function enginesOf(sql: Sql, siteId: string): Promise<string[]> {
  const rows = await sql.all<{ name: string }>(
    'select name from ledger_engine where site_id = $1 order by number',
    siteId,
  )
  return rows.map(({ name }) => name)
}

async function addEngine(sql: Sql, siteId: string, name: string): Promise<void> {
  await sql.run(
    `insert into ledger_engine (site_id, number, name)
     select $1::text, count(*), $2::text from ledger_engine where site_id = $1::text
     on conflict (site_id, name) do nothing`,
    siteId,
    name,
  )
}

async function snapshotOf(
  sql: Sql,
  siteId: string,
  shards: readonly ShardRow[],
): Promise<LedgerSnapshot> {
  const outcomes = await sql.all<{ number: number; outcomes: Uint8Array }>(
    'select number, outcomes from ledger_outcome where site_id = $1 order by number',
    siteId,
  )
  return {
    engines: await enginesOf(sql, siteId),
    shards: new Map(shards.map(({ prefix, entries }) => [prefix, entries])),
    outcomes: outcomes.map((row) => row.outcomes),
    outcomesThrough: outcomes.at(-1)?.number ?? 0,
    sitemaps: await sitemapsOf(sql, siteId),
  }
}

async function sitemapsOf(sql: Sql, siteId: string): Promise<KnownSitemap[]> {
  const rows = await sql.all<{ number: number; url: string; memory: JsonObject | null }>(
    'select number, url, memory from ledger_sitemap where site_id = $1 order by number',
    siteId,
  )
  return rows.map(({ number, url, memory }) => ({
    number,
    url,
    ...(memory !== null && { memory }),
  }))
}

/** The newer fence, when there is one. From here on the site's other writers wait. */
async function raiseFence(sql: Sql, siteId: string, fence: number): Promise<number | undefined> {
  const raised = await sql.run(
    `insert into ledger_fence (site_id, fence) values ($1, $2)
     on conflict (site_id) do update set fence = excluded.fence
       where excluded.fence >= ledger_fence.fence`,
    siteId,
    fence,
  )
  if (raised === 1) return undefined
  const rows = await sql.all<{ fence: number }>(
    'select fence from ledger_fence where site_id = $1',
    siteId,
  )
  return first(rows)?.fence
}

async function writeShards(
  sql: Sql,
  siteId: string,
  { shards = new Map() }: LedgerChange,
): Promise<void> {
  for (const [prefix, entries] of shards) {
    if (entries.length === 0) {
      await sql.run('delete from ledger_shard where site_id = $1 and prefix = $2', siteId, prefix)
      continue
    }
    await sql.run(
      `insert into ledger_shard (site_id, prefix, entries) values ($1, $2, $3)
       on conflict (site_id, prefix) do update set entries = excluded.entries`,
      siteId,
      prefix,
      entries,
    )
  }
}

async function foldOutcomes(
  sql: Sql,
  siteId: string,
  { foldedThrough }: LedgerChange,
): Promise<void> {
  if (foldedThrough === undefined) return
  await sql.run(
    'delete from ledger_outcome where site_id = $1 and number <= $2',
    siteId,
    foldedThrough,
  )
}

async function writeSitemaps(
  sql: Sql,
  siteId: string,
  { sitemaps = [] }: LedgerChange,
): Promise<void> {
  for (const { number, url, memory } of sitemaps) {
    await sql.run(
      `insert into ledger_sitemap (site_id, number, url, memory) values ($1, $2, $3, $4)
       on conflict (site_id, number) do update set url = excluded.url, memory = excluded.memory`,
      siteId,
      number,
      url,
      orNull(memory && json(memory)),
    )
  }
}

async function writeLists(sql: Sql, siteId: string, change: LedgerChange): Promise<void> {
  const { dropLists = [], removeChunks = [], appendChunks = [] } = change
  for (const list of dropLists) {
    await sql.run('delete from ledger_url_chunk where site_id = $1 and list = $2', siteId, list)
  }
  for (const { list, number } of removeChunks) {
    await sql.run(
      'delete from ledger_url_chunk where site_id = $1 and list = $2 and number = $3',
      siteId,
      list,
      number,
    )
  }
  for (const { list, count, urls } of appendChunks) {
    await sql.run(
      'insert into ledger_url_chunk (site_id, list, count, urls) values ($1, $2, $3, $4)',
      siteId,
      list,
      count,
      urls,
    )
  }
}
