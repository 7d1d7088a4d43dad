import { describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import type { Sql } from '../../src/stores/postgres/sql.ts'
import { postgresStores } from '../../src/stores/postgres/stores.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { scenario } from '../support/scenario.ts'

const origin = { requestId: 'req-1' }
const pageKey = (noteId: string) => ({ platform: 'page', noteId })
const noteUrl = 'https://notes.example/'

/** What schema 2 held: with an execution that runs, notes that wait for the mirror, and halves of what it was told. */
const OF_SCHEMA_2 = [
  `insert into tbl_crawl_execution
   values ('exec-1', 'collect', 'running', sluice_now(), sluice_now(), null, 0, 0, 1)`,
  `insert into execution_tally values ('exec-1', 3, 1)`,
  `insert into tbl_candidate (platform, note_id, note_url, status, processing_lock, locked_at, retry_count, exec_meta)
   values ('page', 'held-1', '', 'processing', 'exec-1', 1, 0, '{}'), ('page', 'held:2', '', 'processing', 'exec-1', 1, 0, '{}'),
     ('page', 'waits', '', 'pending', null, null, 0, '{}'), ('xhs', 'whole', '', 'collected', null, null, 0, '{}'),
     ('page', 'half:1', '', 'collected', null, null, 0, '{}'), ('page', 'half:2', '', 'collected', null, null, 0, '{}')`,
  `insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
   values ('xhs', 'whole', 'whole_v1', '{"title": "whole"}', 0, '{}', 1),
     ('page', 'half:1', 'page_half:1_v1', '{"title": "half 1"}', 0, '{}', 1),
     ('page', 'half:2', 'page_half:2_v1', '{"title": "half 2"}', 0, '{}', 1)`,
  `insert into outbox (table_name, op, key, fields, request_id, created_at)
   values ('tbl_candidate', 'upsert', 'page:waits', '{"status": "pending"}', 'req-0', 1),
     ('tbl_source', 'upsert', 'whole_v1', 'null', 'req-2', 2),
     ('tbl_candidate', 'upsert', 'xhs:whole', 'null', 'req-2', 2),
     ('tbl_source', 'upsert', 'page_half:1_v1', 'null', 'req-3', 3),
     ('tbl_candidate', 'upsert', 'page:half:1', 'null', 'req-3', 3),
     ('tbl_source', 'upsert', 'page_half:2_v1', 'null', 'req-3', 3),
     ('tbl_candidate', 'upsert', 'page:half:2', 'null', 'req-3', 3),
     ('tbl_crawl_execution', 'upsert', 'exec-1', '{"status": "running"}', 'req-4', 4)`,
  `delete from outbox where key in ('page:half:1', 'page_half:2_v1')`,
]

async function openDatabase() {
  const { url, drop } = await createTestDatabase()
  const sql = openPostgres({ url: new Secret(url), clock: systemClock })
  onTestFinished(async () => {
    await sql.close()
    await drop()
  })
  return sql
}

/** The newest schema, over what schema 2 held. */
async function openMigrated() {
  const sql = await openDatabase()
  await migrate(sql, 0, 2)
  for (const statement of OF_SCHEMA_2) await sql.run(statement)
  const before = await entriesOfSchema2(sql)
  await migrate(sql, 0)
  return { sql, before, stores: postgresStores(sql) }
}

interface Entry {
  readonly id: number
  readonly table: string
  readonly key: string
  readonly token: string
  readonly isRead: boolean
}

/** As the stores of schema 2 read them. */
function entriesOfSchema2(sql: Sql): Promise<readonly Entry[]> {
  return sql.all<Entry>(
    `select id, table_name as "table", key, client_token::text as token, fields <> 'null' as "isRead"
     from outbox order by id`,
  )
}

async function toldBy({ outbox }: Stores, limit = 999) {
  const page = await outbox.page(limit)
  return page.map(({ id, table, key, clientToken: token }) => ({ id, table, key, token }))
}

const keysOf = (entries: readonly { readonly key: string }[]) => entries.map(({ key }) => key)

async function statesIn({ candidates }: Stores) {
  const listed = await candidates.list(undefined, 99, undefined)
  return Object.fromEntries(listed.map(({ noteId, status }) => [noteId, status]))
}

const acquire = ({ executions }: Stores, executionId: string) =>
  executions.acquire({ workflowName: executionId, executionId, timeoutMs: minutes(30) }, origin)

describe('a database of schema 2', () => {
  scenario('C41', 'what waits for the mirror is told in its order, then acknowledged', async () => {
    const { stores, before } = await openMigrated()

    const told = await toldBy(stores)
    const depth = await stores.outbox.depth()
    const [source] = (await stores.outbox.page(99)).filter(({ key }) => key === 'whole_v1')
    const byOldIds = await stores.outbox.ack(before.map(({ id }) => id))
    const ids = told.map(({ id }) => id)
    const some = ids.filter((_, place) => place % 3 === 0)
    const acknowledged = await stores.outbox.ack(some)
    const left = await toldBy(stores)
    const rest = await stores.outbox.ack(ids)

    expect(keysOf(told)).toEqual([
      'page:waits',
      'whole_v1',
      'xhs:whole',
      'page_half:1_v1',
      'page:half:1',
      'page_half:2_v1',
      'page:half:2',
      'exec-1',
    ])
    expect(depth).toBe(8)
    expect(source).toMatchObject({ requestId: 'req-2', createdAt: 2, fields: { title: 'whole' } })
    expect(new Set(told.map(({ token }) => token)).size).toBe(8)
    const tokenOf = (entries: readonly Pick<Entry, 'key' | 'token'>[], key: string) =>
      entries.find((entry) => entry.key === key)?.token
    expect(tokenOf(told, 'page:waits')).toBe(tokenOf(before, 'page:waits'))
    // An entry that a server was about to acknowledge when the schema changed is told again; no other goes in its place.
    expect(byOldIds).toBe(0)
    expect(acknowledged).toBe(3)
    expect(left).toEqual(told.filter(({ id }) => !some.includes(id)))
    expect([rest, await stores.outbox.depth(), await toldBy(stores)]).toEqual([5, 0, []])
  })

  scenario('C41', 'an execution that runs goes on, and its end frees what it held', async () => {
    const { stores } = await openMigrated()
    const note = { ...pageKey('held:2'), note: { title: 'two' } }

    const completed = await stores.candidates.complete('exec-1', [note], origin)
    const ended = await stores.executions.finish('exec-1', 'completed', origin)

    expect(completed).toMatchObject({ ok: true, value: [{ action: 'created' }] })
    expect(ended).toMatchObject({ ok: true, value: { itemsProcessed: 4, itemsFailed: 1 } })
    expect(await statesIn(stores)).toMatchObject({
      'held-1': 'pending',
      'held:2': 'collected',
      waits: 'pending',
    })
  })

  scenario('C41', 'what waited is claimed and completed, and told after the rest', async () => {
    const { stores } = await openMigrated()
    const before = await toldBy(stores)

    await acquire(stores, 'exec-2')
    const claimed = await stores.candidates.claim('exec-2', 99, origin)
    const note = { ...pageKey('waits'), note: { title: 'late' } }
    const completed = await stores.candidates.complete('exec-2', [note], origin)

    expect(claimed).toMatchObject({ ok: true, value: [pageKey('waits')] })
    expect(completed).toMatchObject({ ok: true, value: [{ action: 'created' }] })
    expect(await stores.sources.get(pageKey('waits'))).toMatchObject({ note: { title: 'late' } })
    const told = await toldBy(stores)
    expect(told.slice(0, before.length)).toEqual(before)
    expect(keysOf(told.slice(before.length))).toEqual(['exec-2', 'page_waits_v1', 'page:waits'])
  })

  scenario('C41', 'what is written from now on has ids of its own', async () => {
    const { sql } = await openMigrated()

    const [next] = await sql.all<{ id: number; place: number }>(
      `insert into outbox (notes, request_id, created_at) values ('{page:waits}', '', 0)
       returning id, (id - 1) % 64 as place`,
    )

    const [greatest] = await sql.all<{ id: number }>('select max(id) as id from outbox')
    expect(next).toEqual({ id: greatest?.id, place: 0 })
  })
})

describe('the way back to schema 2', () => {
  /** 40 notes of one completion, two of their entries acknowledged, and some that are still held. */
  async function openUsed() {
    const sql = await openDatabase()
    await migrate(sql, 0)
    const stores = postgresStores(sql)
    const added = Array.from({ length: 45 }, (_, n) => ({ ...pageKey(`n:${n}`), noteUrl }))
    await stores.candidates.add(added, origin)
    await acquire(stores, 'exec-1')
    await stores.candidates.claim('exec-1', 45, origin)
    const notes = added.slice(0, 40).map(({ noteId }) => ({ ...pageKey(noteId), note: {} }))
    await stores.candidates.complete('exec-1', notes, origin)
    const told = await toldBy(stores)
    await stores.outbox.ack(told.slice(-2).map(({ id }) => id))
    return { sql, stores, told: told.slice(0, -2) }
  }

  scenario('C41', 'every entry that waits is there as it was told', async () => {
    const { sql, told } = await openUsed()

    await migrate(sql, 0, 2)
    const entries = await entriesOfSchema2(sql)
    const [next] = await sql.all<{ id: number }>(
      `insert into outbox (table_name, op, key, fields, request_id, created_at)
       values ('tbl_candidate', 'upsert', 'k', '{}', '', 0) returning id`,
    )

    expect(entries.map(({ id, table, key, token }) => ({ id, table, key, token }))).toEqual(told)
    // 45 candidates and the execution; then those of the row that was acknowledged in part.
    expect(entries.filter(({ isRead }) => isRead)).toHaveLength(46 + 14)
    expect(entries.filter(({ isRead }) => !isRead)).toHaveLength(64)
    expect(next?.id).toBeGreaterThan(entries.at(-1)?.id ?? Infinity)
    expect(await sql.all('select * from execution_tally')).toEqual([
      { execution_id: 'exec-1', processed: 40, failed: 0 },
    ])
    expect(
      await sql.all(`select count(*) as held from tbl_candidate where processing_lock = 'exec-1'`),
    ).toEqual([{ held: 5 }])
  })

  scenario('C41', 'and up again: nothing was lost', async () => {
    const { sql, stores, told } = await openUsed()

    await migrate(sql, 0, 2)
    await migrate(sql, 0)
    const again = await toldBy(stores)
    await stores.executions.finish('exec-1', 'completed', origin)

    expect(keysOf(again)).toEqual(keysOf(told))
    expect(await stores.candidates.count()).toEqual({
      pending: 5,
      processing: 0,
      collected: 40,
      failed: 0,
    })
    expect(await stores.outbox.ack(again.map(({ id }) => id))).toBe(told.length)
  })
})
