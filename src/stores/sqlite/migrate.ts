import { MIGRATIONS } from './migrations/all.ts'
import { first, type Sql } from './sql.ts'

export const NEWEST_SCHEMA = MIGRATIONS.length

/** The file was written by a newer Sluice than this one. */
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
export function migrate(sql: Sql, now: number, target = NEWEST_SCHEMA): void {
  sql.run(`create table if not exists schema_migration (
    number integer primary key, name text not null, applied_at integer not null
  ) strict`)
  if (schemaOf(sql) > NEWEST_SCHEMA) throw new SchemaTooNew(schemaOf(sql))
  while (schemaOf(sql) !== target) sql.transaction(() => step(sql, now, target))
}

export function schemaOf(sql: Sql): number {
  const row = first(
    sql.all<{ number: number | null }>('select max(number) as number from schema_migration'),
  )
  return row?.number ?? 0
}

/** Looks at the schema again inside the transaction: two processes may open a new file at the same moment. */
function step(sql: Sql, now: number, target: number): void {
  const current = schemaOf(sql)
  if (current === target) return
  const migration = MIGRATIONS[current < target ? current : current - 1]
  if (!migration) throw new Error(`there is no migration from schema ${current} towards ${target}`)
  for (const statement of current < target ? migration.up : migration.down) sql.run(statement)
  if (current < target) {
    const { number, name } = migration
    sql.run(
      'insert into schema_migration (number, name, applied_at) values (?, ?, ?)',
      number,
      name,
      now,
    )
  } else {
    sql.run('delete from schema_migration where number = ?', migration.number)
  }
}
