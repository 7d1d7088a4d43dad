import { fail, ok } from '../../core/result.ts'
import type {
  KnownSitemap,
  LedgerChange,
  LedgerSnapshot,
  LedgerStore,
  UrlChunk,
} from '../ledger-store.ts'
import { first, orNull, type Sql } from './sql.ts'

export function sqliteLedgerStore(sql: Sql): LedgerStore {
  return {
    numberEngines: async (siteId, names) =>
      sql.transaction(() => {
        for (const name of names) addEngine(sql, siteId, name)
        return enginesOf(sql, siteId)
      }),
    // In a transaction, so that shards and outcomes are of the same moment.
    load: async (siteId) =>
      sql.transaction(() =>
        snapshotOf(
          sql,
          siteId,
          sql.all<ShardRow>('select prefix, entries from ledger_shard where site_id = ?', siteId),
        ),
      ),
    loadShard: async (siteId, prefix) =>
      sql.transaction(() =>
        snapshotOf(
          sql,
          siteId,
          sql.all<ShardRow>(
            'select prefix, entries from ledger_shard where site_id = ? and prefix = ?',
            siteId,
            prefix,
          ),
        ),
      ),
    async record(siteId, outcomes) {
      sql.run('insert into ledger_outcome (site_id, outcomes) values (?, ?)', siteId, outcomes)
    },
    write: async (siteId, change) =>
      sql.transaction(() => {
        const newerFence = raiseFence(sql, siteId, change.fence)
        if (newerFence !== undefined) return fail({ kind: 'fenced-out', newerFence })
        writeShards(sql, siteId, change)
        foldOutcomes(sql, siteId, change)
        writeSitemaps(sql, siteId, change)
        writeLists(sql, siteId, change)
        return ok(undefined)
      }),
    chunks: async (siteId) =>
      sql.all<UrlChunk>(
        'select list, number, count from ledger_url_chunk where site_id = ? order by number',
        siteId,
      ),
    readChunk: async (siteId, { list, number }) =>
      first(
        sql.all<{ urls: Uint8Array }>(
          'select urls from ledger_url_chunk where site_id = ? and list = ? and number = ?',
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

function enginesOf(sql: Sql, siteId: string): string[] {
  return sql
    .all<{ name: string }>(
      'select name from ledger_engine where site_id = ? order by number',
      siteId,
    )
    .map(({ name }) => name)
}

function addEngine(sql: Sql, siteId: string, name: string): void {
  sql.run(
    `insert into ledger_engine (site_id, number, name)
     select ?, count(*), ? from ledger_engine where site_id = ?
     on conflict (site_id, name) do nothing`,
    siteId,
    name,
    siteId,
  )
}

function snapshotOf(sql: Sql, siteId: string, shards: readonly ShardRow[]): LedgerSnapshot {
  const outcomes = sql.all<{ number: number; outcomes: Uint8Array }>(
    'select number, outcomes from ledger_outcome where site_id = ? order by number',
    siteId,
  )
  return {
    engines: enginesOf(sql, siteId),
    shards: new Map(shards.map(({ prefix, entries }) => [prefix, entries])),
    outcomes: outcomes.map((row) => row.outcomes),
    outcomesThrough: outcomes.at(-1)?.number ?? 0,
    sitemaps: sitemapsOf(sql, siteId),
  }
}

function sitemapsOf(sql: Sql, siteId: string): KnownSitemap[] {
  return sql
    .all<{ number: number; url: string; memory: string | null }>(
      'select number, url, memory from ledger_sitemap where site_id = ? order by number',
      siteId,
    )
    .map(({ number, url, memory }) => ({
      number,
      url,
      ...(memory !== null && { memory: JSON.parse(memory) }),
    }))
}

/** The newer fence, when there is one. */
function raiseFence(sql: Sql, siteId: string, fence: number): number | undefined {
  const raised = sql.run(
    `insert into ledger_fence (site_id, fence) values (?, ?)
     on conflict do update set fence = excluded.fence where excluded.fence >= ledger_fence.fence`,
    siteId,
    fence,
  )
  if (raised === 1) return undefined
  return first(
    sql.all<{ fence: number }>('select fence from ledger_fence where site_id = ?', siteId),
  )?.fence
}

function writeShards(sql: Sql, siteId: string, { shards = new Map() }: LedgerChange): void {
  for (const [prefix, entries] of shards) {
    if (entries.length === 0) {
      sql.run('delete from ledger_shard where site_id = ? and prefix = ?', siteId, prefix)
      continue
    }
    sql.run(
      `insert into ledger_shard (site_id, prefix, entries) values (?, ?, ?)
       on conflict do update set entries = excluded.entries`,
      siteId,
      prefix,
      entries,
    )
  }
}

function foldOutcomes(sql: Sql, siteId: string, { foldedThrough }: LedgerChange): void {
  if (foldedThrough === undefined) return
  sql.run('delete from ledger_outcome where site_id = ? and number <= ?', siteId, foldedThrough)
}

function writeSitemaps(sql: Sql, siteId: string, { sitemaps = [] }: LedgerChange): void {
  for (const { number, url, memory } of sitemaps) {
    sql.run(
      `insert into ledger_sitemap (site_id, number, url, memory) values (?, ?, ?, ?)
       on conflict (site_id, number) do update set url = excluded.url, memory = excluded.memory`,
      siteId,
      number,
      url,
      orNull(memory && JSON.stringify(memory)),
    )
  }
}

function writeLists(sql: Sql, siteId: string, change: LedgerChange): void {
  const { dropLists = [], removeChunks = [], appendChunks = [] } = change
  for (const list of dropLists) {
    sql.run('delete from ledger_url_chunk where site_id = ? and list = ?', siteId, list)
  }
  for (const { list, number } of removeChunks) {
    sql.run(
      'delete from ledger_url_chunk where site_id = ? and list = ? and number = ?',
      siteId,
      list,
      number,
    )
  }
  for (const { list, count, urls } of appendChunks) {
    sql.run(
      'insert into ledger_url_chunk (site_id, list, count, urls) values (?, ?, ?, ?)',
      siteId,
      list,
      count,
      urls,
    )
  }
}
