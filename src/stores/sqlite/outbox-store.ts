import type { JsonObject } from '../../core/json.ts'
import type { OutboxEntry, OutboxStore } from '../outbox-store.ts'
import { candidateFields } from './candidate-row.ts'
import { READ_WITH_ROW } from './mirror.ts'
import { sourceFields } from './source-store.ts'
import { first, LIMIT, type Sql } from './sql.ts'

type OutboxRow = Omit<OutboxEntry, 'fields'> & { readonly fields: string }

export function sqliteOutboxStore(sql: Sql): OutboxStore {
  return {
    page: async (limit) =>
      sql
        .all<OutboxRow>(
          `select id, table_name as "table", op, key, fields, client_token as clientToken,
             request_id as requestId, created_at as createdAt
           from outbox order by id ${LIMIT}`,
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
