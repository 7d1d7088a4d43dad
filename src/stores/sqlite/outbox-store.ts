import type { Clock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { MirroredTable, Origin, OutboxEntry, OutboxStore } from '../outbox-store.ts'
import { candidateFields } from './candidate-row.ts'
import { sourceFields } from './source-store.ts'
import { first, type Sql } from './sql.ts'

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
const READ_WITH_ROW = ''

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

type OutboxRow = Omit<OutboxEntry, 'fields'> & { readonly fields: string }

export function sqliteOutboxStore(sql: Sql): OutboxStore {
  return {
    page: async (limit) =>
      sql
        .all<OutboxRow>(
          `select id, table_name as "table", op, key, fields, client_token as clientToken,
             request_id as requestId, created_at as createdAt
           from outbox order by id limit ?`,
          limit,
        )
        .map((row) => ({ ...row, fields: fieldsOf(sql, row) })),
    ack: async (ids) =>
      sql.run(
        'delete from outbox where id in (select value from json_each(?))',
        JSON.stringify(ids),
      ),
    depth: async () =>
      first(sql.all<{ depth: number }>('select count(*) as depth from outbox'))?.depth ?? 0,
  }
}

function fieldsOf(sql: Sql, { id, table, key, fields }: OutboxRow): JsonObject {
  if (fields !== READ_WITH_ROW) return JSON.parse(fields)
  const read = table === 'tbl_source' ? sourceFields(sql, key) : candidateFields(sql, key)
  if (!read) throw new Error(`the outbox's entry ${id} is of a row that is not there`)
  return read
}
