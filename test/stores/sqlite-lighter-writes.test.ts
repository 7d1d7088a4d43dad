import { describe, expect, onTestFinished } from 'vitest'
import { minutes } from '../../src/core/duration.ts'
import { systemRandom } from '../../src/core/random.ts'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import type { Sql } from '../../src/stores/sqlite/sql.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { FakeClock } from '../support/fake-clock.ts'
import { scenario } from '../support/scenario.ts'

const BEFORE = 4
const origin = { requestId: 'req-1' }
const pageKey = (noteId: string) => ({ platform: 'page', noteId })
const noteUrl = 'https://notes.example/'

/** What the schema before held: an execution that runs, notes that wait for the mirror, and halves of what it was told. */
const held = (now: number) => [
  `insert into tbl_crawl_execution values ('exec-1', 'collect', 'running', ${now}, ${now}, null, 3, 1, 1)`,
  `insert into tbl_candidate (platform, note_id, note_url, status, processing_lock, locked_at, retry_count, exec_meta)
   values ('page', 'held-1', '', 'processing', 'exec-1', 1, 0, '{}'), ('page', 'held:2', '', 'processing', 'exec-1', 1, 1, '{}'),
     ('page', 'waits', '', 'pending', null, null, 0, '{}'), ('xhs', 'whole', '', 'collected', null, null, 0, '{}'),
     ('page', 'half:1', '', 'collected', null, null, 0, '{}'), ('page', 'half:2', '', 'collected', null, null, 0, '{}'),
     ('page', 'gone', '', 'failed', null, null, 3, '{}')`,
  `insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
   values ('xhs', 'whole', 'whole_v1', '{"title": "whole"}', 0, '{}', 1),
     ('page', 'half:1', 'page_half:1_v1', '{"title": "half 1"}', 0, '{}', 1),
     ('page', 'half:2', 'page_half:2_v1', '{"title": "half 2"}', 2, '{}', 1), ('page', 'last', 'last', '{}', 0, '{}', 1)`,
  `delete from tbl_source where note_id = 'last'`,
  `insert into outbox (table_name, op, key, fields, client_token, request_id, created_at)
   values ('tbl_candidate', 'upsert', 'page:waits', '{"status": "pending"}', 'token-1', 'req-0', 1),
     ('tbl_source', 'upsert', 'whole_v1', '', 'token-2', 'req-2', 2),
     ('tbl_candidate', 'upsert', 'xhs:whole', '', 'token-3', 'req-2', 2),
     ('tbl_source', 'upsert', 'page_half:1_v1', '', 'token-4', 'req-3', 3),
     ('tbl_candidate', 'upsert', 'page:half:1', '', 'token-5', 'req-3', 3),
     ('tbl_source', 'upsert', 'page_half:2_v1', '', 'token-6', 'req-3', 3),
     ('tbl_candidate', 'upsert', 'page:half:2', '', 'token-7', 'req-3', 3),
     ('tbl_crawl_execution', 'upsert', 'exec-1', '{"status": "running"}', 'token-8', 'req-4', 4),
     ('tbl_candidate', 'upsert', 'page:told', '{}', 'token-9', 'req-5', 5)`,
  `delete from outbox where key in ('page:half:1', 'page_half:2_v1', 'page:told')`,
]

function openDatabase() {
  const sql = openNodeSql(':memory:')
  onTestFinished(() => sql.close())
  const clock = new FakeClock()
  return { sql, clock, stores: sqliteStores({ sql, clock, random: systemRandom }) }
}

/** The newest schema, over what the one before held. */
function openMigrated() {
  const { sql, clock, stores } = openDatabase()
  migrate(sql, 0, BEFORE)
  for (const statement of held(clock.now())) sql.run(statement)
  const before = entriesBefore(sql)
  migrate(sql, 0)
  return { sql, before, stores }
}

interface Entry {
  readonly id: number
  readonly table: string
  readonly key: string
  readonly token: string
}

/** As the stores of the schema before read them. */
function entriesBefore(sql: Sql): readonly Entry[] {
  return sql.all<Entry>(
    `select id, table_name as "table", key, client_token as token from outbox order by id`,
  )
}

async function toldBy({ outbox }: Stores, limit = 999): Promise<readonly Entry[]> {
  const page = await outbox.page(limit)
  return page.map(({ id, table, key, clientToken: token }) => ({ id, table, key, token }))
}

const keysOf = (entries: readonly Entry[]) => entries.map(({ key }) => key)
const idsOf = (entries: readonly Entry[]) => entries.map(({ id }) => id)

async function statesIn({ candidates }: Stores) {
  const listed = await candidates.list(undefined, 99)
  return Object.fromEntries(listed.map(({ noteId, status }) => [noteId, status]))
}

const acquire = ({ executions }: Stores, executionId: string) =>
  executions.acquire({ workflowName: executionId, executionId, timeoutMs: minutes(30) }, origin)

describe('a database of the schema before', () => {
  scenario('C41', 'what waits for the mirror is told as it was, then acknowledged', async () => {
    const { stores, before } = openMigrated()

    const told = await toldBy(stores)
    const depth = await stores.outbox.depth()
    const page = await stores.outbox.page(99)
    const some = idsOf(told).filter((_, place) => place % 3 === 0)
    const acknowledged = await stores.outbox.ack(some)
    const left = await toldBy(stores)
    const rest = await stores.outbox.ack(idsOf(told))

    expect(told).toEqual(before)
    expect(depth).toBe(6)
    expect(page[1]).toMatchObject({ requestId: 'req-2', createdAt: 2, fields: { title: 'whole' } })
    expect(page[2]).toMatchObject({ fields: { note_id: 'whole', status: 'collected' } })
    expect(page[3]).toMatchObject({ fields: { title: 'half 1', note_id: 'half:1' } })
    expect(page[4]).toMatchObject({ fields: { note_id: 'half:2', status: 'collected' } })
    expect(acknowledged).toBe(2)
    expect(left).toEqual(told.filter(({ id }) => !some.includes(id)))
    expect([rest, await stores.outbox.depth(), await toldBy(stores)]).toEqual([4, 0, []])
  })

  scenario('C41', 'an execution that runs goes on, and its end frees what it held', async () => {
    const { stores, sql } = openMigrated()
    const note = { ...pageKey('held:2'), note: { title: 'two' } }

    const completed = await stores.candidates.complete('exec-1', [note], origin)
    const ended = await stores.executions.finish('exec-1', 'completed', origin)

    expect(completed).toMatchObject({ ok: true, value: [{ action: 'created' }] })
    expect(await stores.sources.get(note)).toMatchObject({ retryCount: 1 })
    expect(ended).toMatchObject({ ok: true, value: { itemsProcessed: 4, itemsFailed: 1 } })
    expect(await statesIn(stores)).toMatchObject({
      'held-1': 'pending',
      'held:2': 'collected',
      waits: 'pending',
      gone: 'failed',
    })
    expect(sql.all('select * from execution_claim')).toEqual([])
  })

  scenario('C41', 'what waited is claimed and completed, and told after the rest', async () => {
    const { stores } = openMigrated()
    const before = await toldBy(stores)

    await acquire(stores, 'exec-2')
    const claimed = await stores.candidates.claim('exec-2', 99, origin)
    const note = { ...pageKey('waits'), note: { title: 'late' } }
    const completed = await stores.candidates.complete('exec-2', [note], origin)

    expect(claimed).toMatchObject({ ok: true, value: [pageKey('waits')] })
    expect(completed).toMatchObject({ ok: true, value: [{ action: 'created' }] })
    // 4 was the position of one that is there no more.
    expect(await stores.sources.get(note)).toMatchObject({ position: 5, note: { title: 'late' } })
    const told = await toldBy(stores)
    expect(told.slice(0, before.length)).toEqual(before)
    expect(keysOf(told.slice(before.length))).toEqual(['exec-2', 'page_waits_v1', 'page:waits'])
    // 9 was acknowledged before.
    expect(idsOf(told.slice(before.length))).toEqual([10, 11, 12])
  })
})

describe('the way back to the schema before', () => {
  /** 40 notes of one completion, three of their entries acknowledged, and some that are still held. */
  async function openUsed() {
    const { sql, stores } = openDatabase()
    migrate(sql, 0)
    const added = Array.from({ length: 45 }, (_, n) => ({ ...pageKey(`n:${n}`), noteUrl }))
    await stores.candidates.add(added, origin)
    await acquire(stores, 'exec-1')
    await stores.candidates.claim('exec-1', 45, origin)
    const notes = added.slice(0, 40).map(({ noteId }) => ({ ...pageKey(noteId), note: {} }))
    await stores.candidates.complete('exec-1', notes, origin)
    const told = await toldBy(stores)
    const taken = [...told.slice(-2), ...told.slice(-7, -6)]
    await stores.outbox.ack(idsOf(taken))
    return { sql, stores, told: told.filter((entry) => !taken.includes(entry)), all: told }
  }

  scenario('C41', 'every entry that waits is there as it was told', async () => {
    const { sql, told, all } = await openUsed()

    migrate(sql, 0, BEFORE)
    const entries = entriesBefore(sql)
    sql.run(
      `insert into outbox (table_name, op, key, fields, client_token, request_id, created_at)
       values ('tbl_candidate', 'upsert', 'k', '{}', '', '', 0)`,
    )
    const next = entriesBefore(sql).at(-1)

    expect(entries).toEqual(told)
    expect(new Set(entries.map(({ token }) => token)).size).toBe(45 + 1 + 80 - 3)
    expect(next?.id).toBe((all.at(-1)?.id ?? Infinity) + 1)
    expect(
      sql.all(`select count(*) as held from tbl_candidate where processing_lock = 'exec-1'`),
    ).toEqual([{ held: 5 }])
  })

  scenario('C41', 'and up again: nothing was lost', async () => {
    const { sql, stores, told } = await openUsed()

    migrate(sql, 0, BEFORE)
    migrate(sql, 0)
    const again = await toldBy(stores)
    await stores.executions.finish('exec-1', 'completed', origin)

    expect(again).toEqual(told)
    expect(await stores.candidates.count()).toEqual({
      pending: 5,
      processing: 0,
      collected: 40,
      failed: 0,
    })
    expect(await stores.outbox.ack(idsOf(again))).toBe(told.length)
  })
})
