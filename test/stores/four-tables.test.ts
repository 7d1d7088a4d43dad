import { describe, expect, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { minutes } from '../../src/core/duration.ts'
import { Secret } from '../../src/core/secret.ts'
import { utcDayOf } from '../../src/core/utc-day.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { begin } from '../contracts/backend.ts'
import { COLLECT_BACKENDS } from '../support/collect-world.ts'
import { createTestDatabase } from '../support/postgres-database.ts'
import { TEMPLATE } from '../support/postgres-for-all.ts'
import { scenario } from '../support/scenario.ts'

// The names that the founding document gave them: people's formulas and views are made of these.
const TABLES: Readonly<Record<string, string>> = {
  tbl_cookie: `cookie_name platform cookie_encrypted encryption_key_id status priority daily_used daily_limit
    consecutive_errors total_errors cooling_until created_at updated_at`,
  tbl_candidate: `note_id platform note_url status processing_lock locked_at retry_count source_keyword exec_meta`,
  tbl_crawl_execution: `workflow_name execution_id status started_at heartbeat_at completed_at items_processed
    items_failed fence`,
  tbl_source: `platform note_id idempotency_key processing_lock locked_at retry_count last_error_code exec_meta`,
}
const SEALED = 'cookie_encrypted'
const fieldsOf = (table: string) => (TABLES[table] ?? '').split(/\s+/)
const origin = { requestId: 'req-1' }

/** Those of the four tables' fields that are not among these. */
const missing = (columns: readonly { readonly table: string; readonly name: string }[]) =>
  Object.keys(TABLES).flatMap((table) =>
    fieldsOf(table)
      .filter((field) => !columns.some((one) => one.table === table && one.name === field))
      .map((field) => `${table}.${field}`),
  )

scenario('C09', 'the four tables have their fields in SQLite', () => {
  const sql = openNodeSql(':memory:')
  onTestFinished(() => sql.close())
  migrate(sql, 0)

  const columns = sql.all<{ table: string; name: string }>(
    `select t.name as "table", c.name from sqlite_schema t, pragma_table_info(t.name) c where t.type = 'table'`,
  )

  expect(missing(columns)).toEqual([])
})

scenario('C09', 'the four tables have their fields in PostgreSQL', async () => {
  const { url, drop } = await createTestDatabase(TEMPLATE)
  const database = openPostgres({ url: new Secret(url), clock: systemClock, connections: 1 })
  onTestFinished(async () => {
    await database.close()
    await drop()
  })

  const columns = await database.all<{ table: string; name: string }>(
    `select table_name as "table", column_name as name from information_schema.columns where table_schema = 'public'`,
  )

  expect(missing(columns)).toEqual([])
})

describe.each(COLLECT_BACKENDS)('what the mirror is told by $name', (backend) => {
  scenario('C09', 'every field of the four tables, but for the sealed cookie', async () => {
    const { stores, clock } = await begin(backend)
    await stores.cookies.add(
      {
        cookieName: 'account_01',
        platform: 'xhs',
        cookieEncrypted: 'sealed-canary',
        encryptionKeyId: 'k1',
        status: 'active',
        priority: 1,
        dailyUsed: 0,
        usedDay: utcDayOf(clock.now()),
        dailyLimit: 100,
        consecutiveErrors: 0,
        totalErrors: 0,
        coolingUntil: undefined,
        createdAt: clock.now(),
        updatedAt: clock.now(),
      },
      origin,
    )
    const key = { platform: 'xhs', noteId: 'n1' }
    await stores.candidates.add([{ ...key, noteUrl: 'https://notes.example/n1' }], origin)
    const execution = { workflowName: 'collect', executionId: 'exec-1', timeoutMs: minutes(30) }
    await stores.executions.acquire(execution, origin)
    await stores.candidates.claim('exec-1', 10, origin)
    await stores.candidates.complete('exec-1', [{ ...key, note: { title: 'words' } }], origin)
    clock.advance(minutes(1))
    await stores.executions.finish('exec-1', 'completed', origin)

    const entries = await stores.outbox.page(99)

    const columns = entries.flatMap(({ table, fields }) =>
      Object.keys(fields).map((name) => ({ table, name })),
    )
    expect(missing(columns)).toEqual([`tbl_cookie.${SEALED}`])
    expect(JSON.stringify(entries)).not.toContain('sealed-canary')
    expect(entries.findLast(({ table }) => table === 'tbl_source')?.fields).toMatchObject({
      title: 'words',
    })
  })
})
