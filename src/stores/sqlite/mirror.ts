import type { Clock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { MirroredTable, Origin } from '../outbox-store.ts'
import type { Sql } from './sql.ts'

export interface MirroredRow {
  readonly table: MirroredTable
  readonly key: string
  /** Left out where the row never changes again: then they are read with it. */
  readonly fields?: JsonObject
}

/** Puts changes of the running transaction into the outbox. */
export type Mirror = (rows: readonly MirroredRow[], origin: Origin) => void

/** A row has four values of its own, and a statement at most a hundred. */
const ROWS_AT_ONCE = 24
const INSERTS = Array.from({ length: ROWS_AT_ONCE }, (_, last) => insertOf(last + 1))

/** In place of the fields of a row that never changes again. */
export const READ_WITH_ROW = ''

export function sqliteMirror(sql: Sql, clock: Clock, random: Random): Mirror {
  return (rows, { requestId }) => {
    const now = clock.now()
    for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
      const part = rows.slice(from, from + ROWS_AT_ONCE)
      const values = part.flatMap(({ table, key, fields }) => [
        table,
        key,
        fields ? JSON.stringify(fields) : READ_WITH_ROW,
        random.uuid(),
      ])
      sql.run(INSERTS[part.length - 1] ?? insertOf(part.length), requestId, now, ...values)
    }
  }
}

function insertOf(rows: number): string {
  return `insert into outbox (request_id, created_at, op, table_name, key, fields, client_token)
    select ?, ?, 'upsert', changed.* from (values ${Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ')}) as changed`
}
