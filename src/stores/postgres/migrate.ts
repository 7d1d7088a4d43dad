import { MIGRATIONS } from './migrations/all.ts'
import { type Database, first, type Sql } from './sql.ts'

export const NEWEST_SCHEMA = MIGRATIONS.length

/** The database was written by a newer Sluice than this one. */
export class SchemaTooNew extends Error {
  override readonly name = 'SchemaTooNew'

  constructor(found: number) {
    super(
      `The database has schema ${found}, this version of Sluice knows schemas up to ${NEWEST_SCHEMA}. ` +
        `Use the newer version, or downgrade the database with it first.`,
    )
  }
}

/** Brings the schema up or down to `target`, one transaction for each step: a crash leaves a whole schema. */
export async function migrate(
  database: Database,
  now: number,
  target = NEWEST_SCHEMA,
): Promise<void> {
  for (;;) {
    const reached = await database.transaction((sql) => step(sql, now, target))
    if (reached === target) return
  }
}

export async function schemaOf(sql: Sql): Promise<number> {
  const row = first(
    await sql.all<{ number: number | null }>('select max(number) as number from schema_migration'),
  )
  return row?.number ?? 0
}

/** One step, alone: of servers that start at once one migrates, and the others find it done. */
async function step(sql: Sql, now: number, target: number): Promise<number> {
  await sql.run(`select pg_advisory_xact_lock(hashtextextended('sluice migration', 0))`)
  await sql.run(`create table if not exists schema_migration (
    number integer primary key, name text not null, applied_at bigint not null
  )`)
  const current = await schemaOf(sql)
  if (current > NEWEST_SCHEMA) throw new SchemaTooNew(current)
  if (current === target) return current
  return current < target ? goUp(sql, now, current) : goDown(sql, current)
}

async function goUp(sql: Sql, now: number, current: number): Promise<number> {
  const { number, name, up } = migrationTo(current + 1)
  for (const statement of up) await sql.run(statement)
  await sql.run('insert into schema_migration values ($1, $2, $3)', number, name, now)
  return number
}

async function goDown(sql: Sql, current: number): Promise<number> {
  for (const statement of migrationTo(current).down) await sql.run(statement)
  await sql.run('delete from schema_migration where number = $1', current)
  return current - 1
}

function migrationTo(schema: number) {
  const migration = MIGRATIONS[schema - 1]
  if (!migration) throw new Error(`there is no migration to schema ${schema}`)
  return migration
}
