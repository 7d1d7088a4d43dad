import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { sqliteRunStore } from '../../src/stores/sqlite/run-store.ts'
import { sqliteGlances } from '../../src/stores/sqlite/site-glance.ts'
import { finishedRun } from '../contracts/run-store.ts'
import { FakeClock } from '../support/fake-clock.ts'

function openCounted() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-glance-'))
  const file = join(folder, 'sluice.db')
  const sql = openNodeSql(file)
  onTestFinished(() => {
    sql.close()
    rmSync(folder, { recursive: true })
  })
  migrate(sql, 0)
  let reads = 0
  const counted: typeof sql = {
    ...sql,
    all<Row>(...asked: Parameters<typeof sql.all>): Row[] {
      reads++
      return sql.all<Row>(...asked)
    },
  }
  const { at } = sqliteGlances(counted, new FakeClock())
  const nameOf = async (siteId: string) => (await at(siteId, `site:${siteId}`))?.settings
  return { file, sql, at, nameOf, reads: () => reads }
}

const CREATE =
  'insert into site (id, settings, created_at, updated_at, version) values (?, ?, 0, 0, 1)'
const RENAME = 'update site set settings = ? where id = ?'

it('reads a site once for as long as nothing is written', async () => {
  const { sql, nameOf, reads } = openCounted()
  sql.run(CREATE, 'a.example', '"a"')

  const seen = [await nameOf('a.example'), await nameOf('a.example'), await nameOf('a.example')]

  expect(seen).toEqual(['a', 'a', 'a'])
  expect(reads()).toBe(1)
})

it('asks once whether anything was written, for all who ask at once', async () => {
  const { sql, nameOf } = openCounted()
  sql.run(CREATE, 'a.example', '"a"')

  const [first, second] = [sql.version?.(), sql.version?.()]
  const early = nameOf('a.example')
  sql.run(RENAME, '"b"', 'a.example')

  expect(first).toBe(second)
  expect(await early).toBe('b')
  expect(await sql.version?.()).toBe(await first)
})

it('shows nothing of what was undone', async () => {
  const { sql, nameOf } = openCounted()
  sql.run(CREATE, 'a.example', '"a"')
  const before = await nameOf('a.example')

  let within: Promise<unknown> | undefined
  const undo = () =>
    sql.transaction(() => {
      sql.run(RENAME, '"b"', 'a.example')
      within = nameOf('a.example')
      throw new Error('undone')
    })

  expect(undo).toThrow('undone')
  expect([before, await within, await nameOf('a.example')]).toEqual(['a', 'a', 'a'])
})

it('shows what others have committed when it looks, not when it was asked', async () => {
  const { file, sql, nameOf } = openCounted()
  const other = openNodeSql(file)
  onTestFinished(() => other.close())
  sql.run(CREATE, 'a.example', '"a"')
  const before = await nameOf('a.example')

  const early = nameOf('a.example')
  other.run(RENAME, '"b"', 'a.example')

  expect([before, await early, await nameOf('a.example')]).toEqual(['a', 'b', 'b'])
})

it.each(['itself', 'another'])('shows how far a run of %s is', async (runner) => {
  const { file, sql, at } = openCounted()
  const other = openNodeSql(file)
  onTestFinished(() => other.close())
  sql.run(CREATE, 'a.example', '"a"')
  const runs = sqliteRunStore(runner === 'itself' ? sql : other)
  const run = {
    ...finishedRun({ siteId: 'a.example' }),
    finishedAt: undefined,
    status: 'running',
  } as const
  await runs.begin(run)
  const submitted = async () => (await at('a.example', 'site:a.example'))?.newest?.submitted
  const before = await submitted()

  await runs.progress({ ...run, submitted: 77 })

  expect([before, await submitted()]).toEqual([run.submitted, 77])
})

it('tells one lease of a site from another', async () => {
  const { sql, at } = openCounted()
  sql.run(CREATE, 'a.example', '"a"')
  sql.run(`insert into lease values ('site:a.example', 'run-1', ${Number.MAX_SAFE_INTEGER}, 1)`)

  const held = await at('a.example', 'site:a.example')
  const other = await at('a.example', 'other:a.example')

  expect([held?.isHeld, other?.isHeld]).toEqual([true, false])
})

it('keeps what it saw of a thousand sites, and no more', async () => {
  const { sql, nameOf, reads } = openCounted()
  const ids = Array.from({ length: 1_001 }, (_, n) => `site-${n}`)
  sql.transaction(() => ids.forEach((id) => sql.run(CREATE, id, JSON.stringify(id))))

  for (const id of ids) await nameOf(id)
  const all = reads()
  const again = await nameOf('site-0')

  expect(again).toBe('site-0')
  expect([all, reads()]).toEqual([1_001, 1_002])
})

it('says so when the database cannot be asked', async () => {
  const { file } = openCounted()
  const sql = openNodeSql(file)

  const asked = sql.version?.()
  sql.close()

  await expect(asked).rejects.toThrow('not open')
})
