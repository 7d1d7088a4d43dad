import type { Clock } from '../../core/clock.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Random } from '../../core/random.ts'
import type { MirroredTable, Origin, OutboxEntry, OutboxStore } from '../outbox-store.ts'
import { first, type Sql } from './sql.ts'

export interface MirroredRow {
  readonly table: MirroredTable
  readonly key: string
  readonly fields: JsonObject
}

/** Puts changes of the running transaction into the outbox. */
export type Mirror = (rows: readonly MirroredRow[], origin: Origin) => void

export function sqliteMirror(sql: Sql, clock: Clock, random: Random): Mirror {
  return (rows, { requestId }) => {
    for (const { table, key, fields } of rows) {
      sql.run(
        `insert into outbox (table_name, op, key, fields, client_token, request_id, created_at)
         values (?, 'upsert', ?, ?, ?, ?, ?)`,
        table,
        key,
        JSON.stringify(fields),
        random.uuid(),
        requestId,
        clock.now(),
      )
    }
  }
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
        .map((row) => ({ ...row, fields: JSON.parse(row.fields) })),
    ack: async (ids) =>
      sql.run(
        'delete from outbox where id in (select value from json_each(?))',
        JSON.stringify(ids),
      ),
    depth: async () =>
      first(sql.all<{ depth: number }>('select count(*) as depth from outbox'))?.depth ?? 0,
  }
}
