import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { systemRandom } from '../../src/core/random.ts'
import { migrate, NEWEST_SCHEMA, schemaOf, SchemaTooNew } from '../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { openSqliteStores } from '../../src/stores/sqlite/open.ts'
import type { Sql } from '../../src/stores/sqlite/sql.ts'
import { FakeClock } from '../support/fake-clock.ts'

const DUMP = new URL('../../docs/schema.sql', import.meta.url)

function openDatabase() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-schema-'))
  const sql = openNodeSql(join(folder, 'sluice.db'))
  onTestFinished(() => {
    sql.close()
    rmSync(folder, { recursive: true })
  })
  return { sql, folder }
}

function schemaDump(sql: Sql): string {
  const rows = sql.all<{ sql: string }>(
    `select sql from sqlite_schema where sql is not null and name not like 'sqlite_%' order by type desc, name`,
  )
  return rows.map((row) => `${row.sql.replace(/\n {4}/g, '\n')};\n`).join('\n')
}

it('is what docs/schema.sql shows (UPDATE_SCHEMA=1 writes it anew)', () => {
  const { sql } = openDatabase()
  migrate(sql, 0)
  if (process.env['UPDATE_SCHEMA']) writeFileSync(DUMP, schemaDump(sql))
  expect(schemaDump(sql)).toBe(readFileSync(DUMP, 'utf8'))
})

it('goes up and down step by step, through the same schemas', () => {
  const { sql } = openDatabase()
  const above: string[] = []
  for (let target = 0; target <= NEWEST_SCHEMA; target++) {
    migrate(sql, 0, target)
    above.push(schemaDump(sql))
  }
  for (let target = NEWEST_SCHEMA - 1; target >= 0; target--) {
    migrate(sql, 0, target)
    expect(schemaOf(sql)).toBe(target)
    expect(schemaDump(sql)).toBe(above[target])
  }
  expect(above[0]).toMatch(/^CREATE TABLE schema_migration [^;]*;\n$/)
  migrate(sql, 0)
  expect(schemaDump(sql)).toBe(above[NEWEST_SCHEMA])
})

it('leaves a whole schema when a step fails, and says why', () => {
  const { sql } = openDatabase()
  migrate(sql, 0, 1)
  sql.run('create table outbox (in_the_way integer) strict')
  const before = schemaDump(sql)
  expect(() => migrate(sql, 0)).toThrow(/outbox already exists/)
  expect(schemaDump(sql)).toBe(before)
  expect(schemaOf(sql)).toBe(1)
})

it('X08 — refuses a database of a newer version, and says what to do', () => {
  const { sql } = openDatabase()
  migrate(sql, 0)
  sql.run(`insert into schema_migration values (999, 'later', 0)`)
  expect(() => migrate(sql, 0)).toThrow(SchemaTooNew)
  expect(() => migrate(sql, 0)).toThrow(/schema 999.*Use the newer version/)
})

it('makes its file in a folder, and finds everything again in it', async () => {
  const { folder } = openDatabase()
  const options = {
    folder: mkdtempSync(join(folder, 'data-')),
    clock: new FakeClock(),
    random: systemRandom,
  }
  const first = openSqliteStores(options)
  await first.sites.create('example.com', { name: 'Example' })
  first.check()
  first.close()
  const second = openSqliteStores(options)
  expect(await second.sites.list()).toMatchObject([
    { id: 'example.com', settings: { name: 'Example' } },
  ])
  second.close()
  expect(() => second.check()).toThrow(/database is not open/)
})

it('commits durably: write-ahead log, synced at every commit', () => {
  const { sql } = openDatabase()
  expect(sql.all('pragma journal_mode')).toEqual([{ journal_mode: 'wal' }])
  expect(sql.all('pragma synchronous')).toEqual([{ synchronous: 2 }])
})
