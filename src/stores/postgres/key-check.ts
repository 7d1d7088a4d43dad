import { type Database, first, type Sql } from './sql.ts'

/**
 * A text that the first server sealed and every other must be able to open: servers with different master keys could not
 * read each other's secrets, and would find out one by one.
 */
export interface KeyCheck {
  /** The text that was agreed on: the given one, where there was none. */
  agree(sealed: string): Promise<string>
  /** Replaces it, for a server that has a newer key beside the one it was sealed with. */
  replace(from: string, to: string): Promise<void>
}

export function postgresKeyCheck(database: Database): KeyCheck {
  const read = async (sql: Sql) =>
    first(await sql.all<{ sealed: string }>('select sealed from master_key_check'))?.sealed
  return {
    async agree(sealed) {
      await database.repeatable.run(
        'insert into master_key_check (sealed) values ($1) on conflict do nothing',
        sealed,
      )
      return (await read(database.repeatable)) ?? sealed
    },
    async replace(from, to) {
      await database.repeatable.run(
        'update master_key_check set sealed = $2 where sealed = $1',
        from,
        to,
      )
    },
  }
}
