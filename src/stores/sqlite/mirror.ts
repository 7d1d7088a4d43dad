import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import type { NoteKey } from '../candidate-store.ts'
import type { Origin, ToldRow } from '../outbox-store.ts'
import { notesByRow } from '../told-notes.ts'
import type { Sql } from './sql.ts'

/** Puts changes of the running transaction into the outbox. */
export interface Mirror {
  rows(rows: readonly ToldRow[], origin: Origin): void
  /** Of notes that were completed, in this order: each as a source, then as a candidate. */
  notes(notes: readonly NoteKey[], origin: Origin): void
}

/** A row has four values of its own, and a statement at most a hundred. */
const ROWS_AT_ONCE = 24
const INSERTS = Array.from({ length: ROWS_AT_ONCE }, (_, last) => insertOf(last + 1))

/** Its entries are numbered up to its id, from above every id that was ever given out. */
const INSERT_NOTES = `
  insert into outbox (id, notes, client_token, request_id, created_at)
  select coalesce((select seq from sqlite_sequence where name = 'outbox'), 0) + ?, ?, ?, ?, ?`

export function sqliteMirror(sql: Sql, clock: Clock, random: Random): Mirror {
  return {
    rows(rows, { requestId }) {
      const now = clock.now()
      for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
        const part = rows.slice(from, from + ROWS_AT_ONCE)
        const values = part.flatMap(({ table, key, fields }) => [
          table,
          key,
          JSON.stringify(fields),
          random.uuid(),
        ])
        sql.run(INSERTS[part.length - 1] ?? insertOf(part.length), requestId, now, ...values)
      }
    },
    notes(notes, { requestId }) {
      for (const row of notesByRow(notes)) {
        const told = JSON.stringify(row)
        sql.run(INSERT_NOTES, row.length * 2, told, random.uuid(), requestId, clock.now())
      }
    },
  }
}

function insertOf(rows: number): string {
  return `insert into outbox (request_id, created_at, op, table_name, key, fields, client_token)
    select ?, ?, 'upsert', changed.* from (values ${Array.from({ length: rows }, () => '(?, ?, ?, ?)').join(', ')}) as changed`
}
