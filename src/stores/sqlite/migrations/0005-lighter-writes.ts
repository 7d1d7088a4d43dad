import type { Migration } from './migration.ts'

const SOURCE_COLUMNS = `position, platform, note_id, idempotency_key, note, processing_lock, locked_at, retry_count,
  last_error_code, exec_meta, created_at`
const OUTBOX_COLUMNS = `id, table_name, op, key, fields, client_token, request_id, created_at`

/** Claims and completions that touch fewer rows and indexes. What waits or is held goes on as it was. */
export const lighterWrites: Migration = {
  number: 5,
  name: 'lighter-writes',
  up: [
    // A row is one entry, or those of up to 32 notes of a completion (`notes` alone): two of each, for its source and for
    // its candidate. They are numbered up to the row's id. An entry without fields is read with the one note it names.
    ...remade(
      'outbox',
      `create table outbox (
      id integer primary key autoincrement,
      table_name text,
      op text,
      key text,
      fields text,
      notes text,
      client_token text not null,
      request_id text not null,
      created_at integer not null
    ) strict`,
      `insert into outbox (${OUTBOX_COLUMNS}, notes)
      select ${OUTBOX_COLUMNS}, case when fields = '' then json_array(case table_name
        when 'tbl_candidate' then key
        else (select s.platform || ':' || s.note_id from tbl_source s where s.idempotency_key = o.key) end) end
      from outbox_before o order by id`,
    ),

    // The key is made of platform and note_id, which are unique. Nothing looks a source up by it any more.
    ...remade(
      'tbl_source',
      sourceTable('idempotency_key text not null'),
      `insert into tbl_source (${SOURCE_COLUMNS}) select ${SOURCE_COLUMNS} from tbl_source_before order by position`,
    ),

    // What an execution has claimed, a row for each call: whoever ends it frees those of them that it still holds.
    `drop index candidate_locked`,
    `create table execution_claim (
      number integer primary key,
      execution_id text not null,
      positions text not null
    ) strict`,
    `insert into execution_claim (execution_id, positions)
      select processing_lock, json_group_array(position)
      from tbl_candidate where processing_lock is not null group by processing_lock`,
  ],
  down: [
    `drop table execution_claim`,
    `create index candidate_locked on tbl_candidate (processing_lock) where processing_lock is not null`,

    // Each entry keeps its id and its token.
    ...remade(
      'outbox',
      `create table outbox (
      id integer primary key autoincrement,
      table_name text not null,
      op text not null,
      key text not null,
      fields text not null,
      client_token text not null,
      request_id text not null,
      created_at integer not null
    ) strict`,
      `insert into outbox (${OUTBOX_COLUMNS})
      select ${OUTBOX_COLUMNS} from outbox_before where table_name is not null order by id`,
      `insert into outbox (${OUTBOX_COLUMNS})
      select o.id - json_array_length(o.notes) * 2 + 1 + n.key * 2 + half.place, half.table_name, 'upsert',
        case half.table_name when 'tbl_candidate' then n.value else (
          select s.idempotency_key from tbl_source s
          where s.platform = substr(n.value, 1, instr(n.value, ':') - 1)
            and s.note_id = substr(n.value, instr(n.value, ':') + 1)) end,
        '', printf('%02x', n.key * 2 + half.place) || substr(o.client_token, 3), o.request_id, o.created_at
      from outbox_before o, json_each(o.notes) n,
        (select 0 as place, 'tbl_source' as table_name union all select 1, 'tbl_candidate') half
      where o.table_name is null`,
    ),

    ...remade(
      'tbl_source',
      sourceTable('idempotency_key text not null unique'),
      `insert into tbl_source (${SOURCE_COLUMNS}) select ${SOURCE_COLUMNS} from tbl_source_before order by position`,
    ),
  ],
}

function sourceTable(idempotencyKey: string): string {
  return `create table tbl_source (
      position integer primary key autoincrement,
      platform text not null,
      note_id text not null,
      ${idempotencyKey},
      note text not null,
      processing_lock text,
      locked_at integer,
      retry_count integer not null,
      last_error_code text,
      exec_meta text not null,
      created_at integer not null,
      unique (platform, note_id)
    ) strict`
}

/** A table under its name in another form. Its numbers go on where they were: none is given out a second time. */
function remade(table: string, create: string, ...copy: readonly string[]): readonly string[] {
  return [
    `alter table ${table} rename to ${table}_before`,
    create,
    ...copy,
    `delete from sqlite_sequence where name = '${table}'`,
    `update sqlite_sequence set name = '${table}' where name = '${table}_before'`,
    `drop table ${table}_before`,
  ]
}
