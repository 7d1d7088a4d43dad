import type { Origin, OutboxEntry, OutboxStore, ToldRow } from '../outbox-store.ts'
import { NOTES_PER_OUTBOX_ROW } from '../told-notes.ts'
import { MIRRORED_CANDIDATE, PARTS_OF_KEY } from './candidate-row.ts'
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

/**
 * Of rows `o`, their entries. A note that was completed never changes again, nor does its candidate: what is to be told
 * of them is read when it is asked for. Each has the row's token but for the last two digits, which are its number.
 */
const ENTRIES = `
  select o.id, o.table_name, o.op, o.key, o.fields, o.client_token, o.request_id, o.created_at
  from o where o.notes is null
  union all
  select o.id + part.number, part.table_name, part.op, part.key, part.fields,
    overlay(o.client_token::text placing lpad(to_hex(part.number), 2, '0') from 35)::uuid, o.request_id, o.created_at
  from o cross join lateral (
      select place::integer, ${PARTS_OF_KEY} from unnest(o.notes) with ordinality as note (key, place)
    ) as n cross join lateral (
      select n.place * 2 - 2 as number, 'tbl_source' as table_name, 'upsert' as op, s.idempotency_key as key,
        ${SOURCE_FIELDS} as fields
      from tbl_source s where s.platform = n.platform and s.note_id = n.note_id
      union all
      select n.place * 2 - 1, ${MIRRORED_CANDIDATE}
      from tbl_candidate c where c.platform = n.platform and c.note_id = n.note_id
    ) as part
  where o.notes is not null`

const SIZE = `coalesce(cardinality(notes) * 2, 1)`

/** $1 how many at most: no more rows are taken apart than are needed for so many. */
const PAGE = `
  with o as materialized (
    select * from (
      select *, sum(${SIZE}) over (order by id) - ${SIZE} as before
      from (select * from outbox order by id limit $1) as oldest
    ) as counted where before < $1
  )
  select id, table_name as "table", op, key, fields, client_token::text as "clientToken", request_id as "requestId",
    created_at as "createdAt"
  from (${ENTRIES}) as e order by id limit $1`

/**
 * $1 ids; from one row's to the next there are as many as a row may have entries. Rows in order, so that two who
 * acknowledge the same entries wait in line. What is left of a row of several stays as entries by themselves.
 */
const ACKNOWLEDGE = `
  with given as materialized (
    select distinct value::bigint as id from jsonb_array_elements_text($1)
  ), asked as materialized (
    select id from outbox
    where id in (select id from given union select id - (id - 1) % (${NOTES_PER_OUTBOX_ROW} * 2) from given)
      and (notes is not null or id in (select id from given))
    order by id for update
  ), o as (
    delete from outbox where id in (select id from asked) returning *
  ), e as materialized (
    ${ENTRIES}
  ), kept as (
    insert into outbox (id, table_name, op, key, fields, client_token, request_id, created_at)
    overriding system value
    select id, table_name, op, key, fields, client_token, request_id, created_at
    from e where id not in (select id from given) order by id
  )
  select count(*) as acknowledged from e where id in (select id from given)`

export function postgresOutboxStore(database: Database): OutboxStore {
  return {
    page: (limit) => database.repeatable.all<OutboxEntry>(PAGE, limit),
    ack: async (ids) =>
      first(await database.all<{ acknowledged: number }>(ACKNOWLEDGE, json(ids)))?.acknowledged ??
      0,
    depth: async () =>
      first(
        await database.repeatable.all<{ depth: number }>(
          `select coalesce(sum(${SIZE}), 0)::bigint as depth from outbox`,
        ),
      )?.depth ?? 0,
  }
}
