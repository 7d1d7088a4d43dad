import { readFileSync, writeFileSync } from 'node:fs'
import { expect, it, onTestFinished } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import {
  migrate,
  NEWEST_SCHEMA,
  schemaOf,
  SchemaTooNew,
} from '../../src/stores/postgres/migrate.ts'
import { openPostgresStores } from '../../src/stores/postgres/open.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import type { Sql } from '../../src/stores/postgres/sql.ts'
import { createTestDatabase } from '../support/postgres-database.ts'

const DUMP = new URL('../../docs/schema-postgres.sql', import.meta.url)

async function openDatabase() {
  const { url, drop } = await createTestDatabase()
  const options = { url: new Secret(url), clock: systemClock }
  const sql = openPostgres(options)
  onTestFinished(async () => {
    await sql.close()
    await drop()
  })
  return { sql, options }
}

/** From the catalogue: tables with their columns and constraints, then indexes, sequences and functions. */
async function schemaDump(sql: Sql): Promise<string> {
  const lines = async (statement: string) =>
    (await sql.all<{ line: string }>(statement)).map(({ line }) => `${line};`)
  const tables = await lines(`
    select 'create table ' || c.relname || e' (\\n  ' || string_agg(part, e',\\n  ' order by kind, place) || e'\\n)'
      || coalesce(' with (' || array_to_string(c.reloptions, ', ') || ')', '') as line
    from pg_class c join (
      select attrelid as table_id, 1 as kind, attnum::int as place,
        attname || ' ' || format_type(atttypid, atttypmod)
          || case when attcollation = (select oid from pg_collation where collname = 'C') then ' collate "C"' else '' end
          || case when attstorage = 'e' and atttypid = 'bytea'::regtype then ' storage external' else '' end
          || case when attnotnull then ' not null' else '' end
          || case when attidentity = 'a' then ' generated always as identity' else '' end
          || case when seqincrement > 1 then ' (increment by ' || seqincrement || ')' else '' end
          || coalesce(case attgenerated when 's' then ' generated always as ' else ' default ' end
            || pg_get_expr(adbin, adrelid) || case attgenerated when 's' then ' stored' else '' end, '') as part
      from pg_attribute left join pg_attrdef on adrelid = attrelid and adnum = attnum
        left join pg_sequence on attidentity = 'a'
          and seqrelid = pg_get_serial_sequence(attrelid::regclass::text, attname)::regclass
      where attnum > 0 and not attisdropped
      union all
      select conrelid, 2, row_number() over (order by conname)::int, pg_get_constraintdef(oid)
      from pg_constraint where contype in ('p', 'u', 'c')
    ) parts on parts.table_id = c.oid
    where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
    group by c.relname, c.reloptions order by c.relname`)
  const indexes = await lines(`
    select lower(substr(indexdef, 1, 6)) || substr(replace(indexdef, ' ON public.', ' on '), 7) as line from pg_indexes
    where schemaname = 'public' and indexname not in (select conname from pg_constraint)
    order by indexname`)
  const sequences = await lines(`
    select 'create sequence ' || relname as line from pg_class
    where relkind = 'S' and relnamespace = 'public'::regnamespace
      and not exists (select from pg_depend where objid = pg_class.oid and deptype = 'i')
    order by relname`)
  const functions = await lines(`
    select rtrim(pg_get_functiondef(oid), e'\\n') as line from pg_proc
    where pronamespace = 'public'::regnamespace order by proname`)
  return `${[...tables, ...indexes, ...sequences, ...functions].join('\n\n')}\n`
}

it('is what docs/schema-postgres.sql shows (UPDATE_SCHEMA=1 writes it anew)', async () => {
  const { sql } = await openDatabase()
  await migrate(sql, 0)
  const dump = await schemaDump(sql)
  if (process.env['UPDATE_SCHEMA']) writeFileSync(DUMP, dump)
  expect(dump).toBe(readFileSync(DUMP, 'utf8'))
})

it('goes up and down step by step, through the same schemas', async () => {
  const { sql } = await openDatabase()
  const above: string[] = []
  for (let target = 0; target <= NEWEST_SCHEMA; target++) {
    await migrate(sql, 0, target)
    above.push(await schemaDump(sql))
  }
  for (let target = NEWEST_SCHEMA - 1; target >= 0; target--) {
    await migrate(sql, 0, target)
    expect(await schemaOf(sql)).toBe(target)
    expect(await schemaDump(sql)).toBe(above[target])
  }
  expect(above[0]).toMatch(/^create table schema_migration [^;]*;\n$/)
  await migrate(sql, 0)
  expect(await schemaDump(sql)).toBe(above[NEWEST_SCHEMA])
})

it('leaves a whole schema when a step fails, and says why', async () => {
  const { sql } = await openDatabase()
  await migrate(sql, 0, 1)
  await sql.run('create table outbox (in_the_way integer)')
  const before = await schemaDump(sql)
  await expect(migrate(sql, 0)).rejects.toThrow(/outbox.* already exists/)
  expect(await schemaDump(sql)).toBe(before)
  expect(await schemaOf(sql)).toBe(1)
})

it('X08 — refuses a database of a newer version, and says what to do', async () => {
  const { sql } = await openDatabase()
  await migrate(sql, 0)
  await sql.run(`insert into schema_migration values (999, 'later', 0)`)
  await expect(migrate(sql, 0)).rejects.toThrow(SchemaTooNew)
  await expect(migrate(sql, 0)).rejects.toThrow(/schema 999.*Use the newer version/)
})

it('X01 — is brought up to date once by servers that start at the same moment', async () => {
  const { sql, options } = await openDatabase()
  const opened = await Promise.all(Array.from({ length: 5 }, () => openPostgresStores(options)))
  await Promise.all(opened.map((stores) => stores.close()))
  expect(await sql.all('select number from schema_migration order by number')).toEqual(
    Array.from({ length: NEWEST_SCHEMA }, (_, step) => ({ number: step + 1 })),
  )
})

it("takes the time from the database's clock", async () => {
  const { sql } = await openDatabase()
  await migrate(sql, 0)
  const [times] = await sql.all<{ apart: number }>(
    `select abs(sluice_now() - extract(epoch from clock_timestamp()) * 1000)::bigint as apart`,
  )
  expect(times?.apart).toBeLessThan(60_000)
})

it('keeps text that PostgreSQL cannot, without what it cannot', async () => {
  const { options } = await openDatabase()
  const stores = await openPostgresStores(options)
  await stores.sites.create('nul\0.example', { name: 'a\0b', half: '\ud800', '\0key': 1 })
  expect(await stores.sites.get('nul.example')).toMatchObject({
    id: 'nul.example',
    settings: { name: 'ab', half: '\ufffd', key: 1 },
  })
  await stores.close()
})

it('X03 — tells of a refused statement without the values in it', async () => {
  const { sql } = await openDatabase()
  const refused = sql.run('select $1::text::integer', 'canary')
  await expect(refused).rejects.toThrow('The database refused')
  const error = await refused.catch((problem: unknown) => problem)
  expect(Object.values(error as object)).toEqual(['DatabaseError', '22P02'])
})
