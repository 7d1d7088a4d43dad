import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { expect, it, onTestFinished } from 'vitest'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { copyToMemory, openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { openSqliteSnapshot, openSqliteStores } from '../../src/stores/sqlite/open.ts'
import type { Sql } from '../../src/stores/sqlite/sql.ts'
import { countingRandom } from '../support/counting-random.ts'
import { FakeClock } from '../support/fake-clock.ts'

function openFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-snapshot-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const options = { folder, clock: new FakeClock(), random: countingRandom() }
  const closedAtEnd = <Stores extends { close(): void }>(stores: Stores) => {
    onTestFinished(() => stores.close())
    return stores
  }
  return {
    folder,
    /** To be closed before the folder is looked at: until then there are files beside the database. */
    openStores: () => openSqliteStores(options),
    openSnapshot: (from = folder) => closedAtEnd(openSqliteSnapshot({ ...options, folder: from })),
  }
}

const contentsOf = (folder: string) =>
  new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]))

it('shows what is committed, also what is still in the log beside the file', async () => {
  const { openStores, openSnapshot } = openFolder()
  const stores = openStores()
  onTestFinished(() => stores.close())
  await stores.sites.create('example.com', { name: 'A' })

  const snapshot = openSnapshot()

  expect(await snapshot.sites.get('example.com')).toEqual(await stores.sites.get('example.com'))
})

it('is of its moment: neither sees what the other writes from then on', async () => {
  const { openStores, openSnapshot } = openFolder()
  const stores = openStores()
  onTestFinished(() => stores.close())
  await stores.sites.create('before', {})
  const snapshot = openSnapshot()

  await stores.sites.create('in the file', {})
  await snapshot.sites.create('in the copy', {})
  snapshot.endAllWork()

  const ids = async ({ sites }: typeof stores) => (await sites.list()).map(({ id }) => id)
  expect(await ids(stores)).toEqual(['before', 'in the file'])
  expect(await ids(snapshot)).toEqual(['before', 'in the copy'])
})

it('does not wait for whoever is writing', async () => {
  const { folder, openStores, openSnapshot } = openFolder()
  const stores = openStores()
  await stores.sites.create('committed', {})
  stores.close()
  const writer = new DatabaseSync(join(folder, 'sluice.db'))
  onTestFinished(() => writer.close())
  writer.exec("begin immediate; update site set id = 'uncommitted'")

  const snapshot = openSnapshot()

  expect((await snapshot.sites.list()).map(({ id }) => id)).toEqual(['committed'])
})

it('leaves every byte of the folder as it was', async () => {
  const { folder, openStores, openSnapshot } = openFolder()
  const stores = openStores()
  await stores.sites.create('example.com', {})
  stores.close()
  const before = contentsOf(folder)

  const snapshot = openSnapshot()
  await snapshot.sites.create('another', {})

  expect(contentsOf(folder)).toEqual(before)
})

it('is empty where nothing is stored, and makes no folder', async () => {
  const { folder, openSnapshot } = openFolder()

  const snapshot = openSnapshot(join(folder, 'nowhere'))

  expect(await snapshot.sites.list()).toEqual([])
  expect(readdirSync(folder)).toEqual([])
})

it('throws on a file that is no database', () => {
  const { folder, openSnapshot } = openFolder()
  writeFileSync(
    join(folder, 'sluice.db'),
    'not a database, but long enough to be looked at'.repeat(99),
  )

  expect(() => openSnapshot()).toThrow(/not a database/)
})

it('C41 — of an older schema it has the newest, and takes no more memory than the file is long', () => {
  const { folder } = openFolder()
  const path = join(folder, 'sluice.db')
  const older = openNodeSql(path)
  migrate(older, 0, 4)
  older.run(
    `insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
     with recursive note (n) as (select 1 union all select n + 1 from note where n < 500)
     select 'page', n, n, '"' || hex(zeroblob(2000)) || '"', 0, '{}', 1 from note`,
  )
  const pages = (sql: Sql) => sql.all<{ page_count: number }>('pragma page_count')[0]?.page_count
  const before = pages(older) ?? 0
  older.close()

  const copy = copyToMemory(path, (sql) => migrate(sql, 0))
  onTestFinished(() => copy.close())

  expect(copy.all('select count(*) as notes from tbl_source')).toEqual([{ notes: 500 }])
  expect(copy.all('select * from execution_claim')).toEqual([])
  expect(pages(copy)).toBeLessThan(before * 1.1)
})
