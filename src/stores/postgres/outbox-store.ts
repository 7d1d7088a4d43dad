import type { Origin, OutboxEntry, OutboxStore, ToldRow } from '../outbox-store.ts'
import { CANDIDATE_FIELDS } from './candidate-row.ts'
import { SOURCE_FIELDS } from './source-store.ts'
import { type Database, first, json, type Sql } from './sql.ts'

/**
 * Puts changes of the running transaction into the outbox, in this order. A row's own entries are always in the order of
 * its changes: whoever changes it next waits for this transaction first, and is numbered after.
 */
export async function mirror(
  sql: Sql,
  rows: readonly ToldRow[],
  { requestId }: Origin,
): Promise<void> {
  if (rows.length === 0) return
  await sql.run(
    `insert into outbox (table_name, op, key, fields, request_id, created_at)
     select "table", 'upsert', key, fields, $2, sluice_now()
     from jsonb_to_recordset($1) as changed (place integer, "table" text, key text, fields jsonb)
     order by place`,
    json(rows.map((row, place) => ({ place, ...row }))),
    requestId,
  )
}

/** In place of the fields of a row that never changes again: they are read with it. */
export const READ_WITH_ROW = `'null'::jsonb`

const FIELDS = `case
    when o.fields <> ${READ_WITH_ROW} then o.fields
    when o.table_name = 'tbl_source' then (
      select ${SOURCE_FIELDS} from tbl_source s where s.idempotency_key = o.key)
    else (
      select ${CANDIDATE_FIELDS} from tbl_candidate c
      where c.platform = split_part(o.key, ':', 1) and c.note_id = substr(o.key, strpos(o.key, ':') + 1))
  end`

export function postgresOutboxStore(database: Database): OutboxStore {
  return {
    page: (limit) =>
      database.repeatable.all<OutboxEntry>(
        `select o.id, o.table_name as "table", o.op, o.key, ${FIELDS} as fields,
           o.client_token::text as "clientToken", o.request_id as "requestId", o.created_at as "createdAt"
         from outbox o order by o.id limit $1`,
        limit,
      ),
    // In order, so that two who acknowledge the same entries wait in line.
    ack: (ids) =>
      database.run(
        `delete from outbox where id in (
           select id from outbox where id in (select value::bigint from jsonb_array_elements_text($1))
           order by id for update)`,
        json(ids),
      ),
    depth: async () =>
      first(
        await database.repeatable.all<{ depth: number }>('select count(*) as depth from outbox'),
      )?.depth ?? 0,
  }
}
