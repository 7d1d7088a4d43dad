import type { Migration } from './migration.ts'

/** In the order in which the stores take them: a server that still writes is waited for, rather than met halfway. */
const ALONE = `lock table tbl_crawl_execution, tbl_candidate, tbl_source, outbox, execution_tally, run
  in access exclusive mode`

/** Claims and completions that touch fewer rows and indexes. What waits or is held goes on as it was. */
export const lighterWrites: Migration = {
  number: 3,
  name: 'lighter-writes',
  up: [
    ALONE,

    // A site's newest run is the first of its index. Before, all that had started at the same moment were sorted for it.
    `drop index run_by_site`,
    `create index run_by_site on run (site_id, started_at desc, id desc)`,

    // What an execution has claimed stands with what it has done: whoever ends it frees those of them that it still holds.
    `alter table execution_tally
      alter column processed set default 0,
      alter column failed set default 0,
      add column claimed text[]`,
    `insert into execution_tally (execution_id, claimed)
      select processing_lock, array_agg(platform || ':' || note_id)
      from tbl_candidate where processing_lock is not null group by processing_lock`,

    // No index speaks of what a completion changes: with room on its page (fillfactor), it then touches none of them.
    // The room first: the new column writes every page anew.
    `drop index candidate_locked`,
    `drop index candidate_pending`,
    `alter table tbl_candidate set (fillfactor = 70)`,
    `alter table tbl_candidate
      add column is_pending boolean not null generated always as (status = 'pending') stored`,
    `create index candidate_pending on tbl_candidate (position) where is_pending`,

    // A row is one entry, or those of up to 32 notes of a completion: two of each, for its source and for its candidate,
    // numbered from the row's id on. Hence the steps of 64.
    `alter table outbox
      alter column id set increment by 64,
      alter column table_name drop not null,
      alter column op drop not null,
      alter column key drop not null,
      alter column fields drop not null,
      add column notes text[]`,
    // Above every id there ever was: who acknowledges an entry by the id it had before must not meet another one.
    `select setval(pg_get_serial_sequence('outbox', 'id'), (last_value + 63) / 64 * 64 + 1, false) from outbox_id_seq`,
    // Entries without fields were read with their source or candidate: now its note stands for both. Where one of them
    // was acknowledged already it is told again, which changes nothing.
    `with waiting as (
        delete from outbox returning *
      ), unread as (
        select w.*, case w.table_name
          when 'tbl_candidate' then w.key
          else (select s.platform || ':' || s.note_id from tbl_source s where s.idempotency_key = w.key) end as note
        from waiting w where w.fields = 'null'
      ), told as (
        select id, table_name, op, key, fields, null::text[] as notes, client_token, request_id, created_at
        from waiting where fields <> 'null'
        union all
        select min(id), null, null, null, null, array[note], (array_agg(client_token order by id))[1],
          (array_agg(request_id order by id))[1], min(created_at)
        from unread group by note
      )
      insert into outbox (table_name, op, key, fields, notes, client_token, request_id, created_at)
      select table_name, op, key, fields, notes, client_token, request_id, created_at from told order by id`,

    // Made of platform and note_id, which are unique. Nothing looks a source up by it any more.
    `alter table tbl_source drop constraint tbl_source_idempotency_key_key`,
  ],
  down: [
    ALONE,

    `alter table tbl_source add unique (idempotency_key)`,

    // Each entry keeps its id and its token.
    `with told as (
        delete from outbox where notes is not null returning *
      )
      insert into outbox (id, table_name, op, key, fields, client_token, request_id, created_at)
      overriding system value
      select told.id + part.number, part.table_name, 'upsert', part.key, 'null',
        overlay(told.client_token::text placing lpad(to_hex(part.number), 2, '0') from 35)::uuid,
        told.request_id, told.created_at
      from told cross join lateral unnest(told.notes) with ordinality as note (key, place) cross join lateral (
        select note.place::integer * 2 - 2 as number, 'tbl_source' as table_name, s.idempotency_key as key
        from tbl_source s
        where s.platform = split_part(note.key, ':', 1) and s.note_id = substr(note.key, strpos(note.key, ':') + 1)
        union all
        select note.place::integer * 2 - 1, 'tbl_candidate', note.key
      ) as part`,
    `alter table outbox
      alter column id set increment by 1,
      alter column table_name set not null,
      alter column op set not null,
      alter column key set not null,
      alter column fields set not null,
      drop column notes`,
    `select setval(pg_get_serial_sequence('outbox', 'id'), last_value + 64) from outbox_id_seq`,

    `drop index candidate_pending`,
    `alter table tbl_candidate drop column is_pending`,
    `alter table tbl_candidate reset (fillfactor)`,
    `create index candidate_pending on tbl_candidate (position) where status = 'pending'`,
    `create index candidate_locked on tbl_candidate (processing_lock) where processing_lock is not null`,

    `delete from execution_tally where processed = 0 and failed = 0`,
    `alter table execution_tally
      alter column processed drop default,
      alter column failed drop default,
      drop column claimed`,

    `drop index run_by_site`,
    `create index run_by_site on run (site_id, started_at desc, id)`,
  ],
}
