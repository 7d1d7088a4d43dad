import {
  CANDIDATE_KEY,
  CLAIMED_CANDIDATE,
  MIRRORED_CANDIDATE,
  NO_CANDIDATE,
} from './candidate-row.ts'
import { SOURCE_FIELDS, SOURCE_ORDER } from './source-store.ts'

// Each is one statement, for one round trip and one commit. Rows are locked in the order of their keys, whoever locks
// them; where a statement had to wait for a lock, what it read before may be old, so it decides by locked rows only.
// The limits leave nothing out: they tell the planner that little is looked up, which it else does by reading everything.

/** Share: claims and completions of one execution go side by side, while whoever ends it waits for them. */
const EXECUTION = `
  execution as materialized (
    select heartbeat_at <= sluice_now() - $2::bigint as beat_due, sluice_now() as now from tbl_crawl_execution
    where execution_id = $1 and status = 'running' for share
  )`

/** $1 request id, $2 exec_meta, $3 candidates. Positions in the order given, rows in the order of their keys. */
export const ADD = `
  with placed as materialized (
    select given.*, nextval('candidate_position') as position from (
      select * from jsonb_to_recordset($3) as g
        (place integer, platform text, note_id text, note_url text, source_keyword text)
      order by place
    ) as given
  ), c as (
    insert into tbl_candidate (platform, note_id, position, note_url, status, retry_count, source_keyword, exec_meta)
    select platform, note_id, position, note_url, 'pending', 0, source_keyword, $2
    from placed order by platform, note_id, place
    on conflict (platform, note_id) do nothing returning *
  ), mirrored as (
    insert into outbox (table_name, op, key, fields, request_id, created_at)
    select ${MIRRORED_CANDIDATE}, $1, sluice_now() from c order by c.position
  )
  select count(*) as created from c`

/** $1 execution, $2 heartbeat interval, $3 keys, $4 exec_meta, $5 their number. No row: the execution is not running. */
export const CLAIM_THESE = `
  with ${EXECUTION}, given as materialized (
    select g.* from jsonb_to_recordset($3) as g (place integer, platform text, note_id text)
    where exists (select from execution) limit $5::integer
  ), chosen as materialized (
    select g.place, t.platform, t.note_id
    from tbl_candidate t join given g on t.platform = g.platform and t.note_id = g.note_id
    where t.status in ('pending', 'failed') order by t.platform, t.note_id for update of t
  ), c as (
    update tbl_candidate t set status = 'processing', processing_lock = $1, locked_at = (select now from execution), exec_meta = $4
    from chosen where t.platform = chosen.platform and t.note_id = chosen.note_id
    returning chosen.place, t.*
  ), tallied as (
    insert into execution_tally (execution_id, claimed)
    select $1, array_agg(${CANDIDATE_KEY}) from c having count(*) > 0
  )
  select execution.beat_due as "beatDue", ${CLAIMED_CANDIDATE} from execution left join c on true order by c.place`

/**
 * Completions and claims of several executions at once. $1 heartbeat interval, $2 the executions, $3 how many those are;
 * of each ask: $4 its execution, $5 exec_meta; of each note in the order of their keys: $6 its ask, $7 platform,
 * $8 note_id, $9 idempotency_key, $10 the note; $11 how many; $12 rows for the outbox; $13 notes of each execution,
 * counted; $14 for each record to be claimed its ask, $15 how many, $16 the least position of those.
 * Lists rather than JSON: they cost less to take apart.
 * All of it or nothing: nothing where not all executions run, which their rows tell; refused where a note is not held by
 * the execution that completes it, or is there already: then COMPLETE decides.
 * Claims come after completions and wait for nobody: so nobody waits for a candidate while holding one that comes later.
 */
export const COMPLETE_AND_CLAIM = `
  with execution as materialized (
    select execution_id, heartbeat_at <= sluice_now() - $1::bigint as beat_due from tbl_crawl_execution
    where execution_id = any ($2::text[]) and status = 'running'
    order by execution_id for share
  ), done as (
    update tbl_candidate t
    set status = 'collected', processing_lock = null, locked_at = null, exec_meta = ($5::jsonb[])[g.ask]
    from (
      select * from rows from (
          unnest($6::integer[]), unnest($7::text[]), unnest($8::text[]), unnest($9::text[]), jsonb_array_elements($10)
        ) as given (ask, platform, note_id, idempotency_key, note)
      where (select count(*) from execution) = $3::integer limit $11::integer
    ) as g
    where t.platform = g.platform and t.note_id = g.note_id and t.processing_lock = ($4::text[])[g.ask]
    returning t.platform, t.note_id, g.idempotency_key, g.note, t.retry_count, t.exec_meta
  ), s as (
    insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
    select done.*, (select sluice_now()) from done
    where (select pg_advisory_xact_lock_shared(${SOURCE_ORDER}) is not null)
  ), mirrored as (
    insert into outbox (notes, request_id, created_at)
    select notes, request_id, (select sluice_now()) from jsonb_to_recordset($12) as told (notes text[], request_id text)
    where (select count(*) from done) = $11::integer
  ), c as (
    update tbl_candidate t set status = 'processing', processing_lock = ($4::text[])[ask],
      locked_at = (select sluice_now()), exec_meta = ($5::jsonb[])[ask]
    from (
      -- Not materialized, which would copy each once more: it is asked once, since a row is found by its ctid alone.
      select tid, ($14::integer[])[row_number() over ()] as ask from (
        select ctid as tid from tbl_candidate
        where is_pending and position >= $16::bigint
          and (select count(*) from execution) = $3::integer and (select count(*) from done) = $11::integer
        order by position limit $15::integer for update skip locked
      ) as chosen
    ) as key
    where t.ctid = key.tid
    returning key.ask, t.position, t.platform, t.note_id, t.note_url, t.processing_lock, t.locked_at, t.retry_count,
      t.source_keyword, t.last_error_code
  ), tallied as (
    insert into execution_tally (execution_id, processed, claimed)
    select call.execution_id, call.processed, null
    from execution join unnest($2::text[], $13::integer[]) as call (execution_id, processed)
      on call.execution_id = execution.execution_id
    where call.processed > 0
    union all
    select c.processing_lock, 0, array_agg(${CANDIDATE_KEY}) from c group by c.processing_lock
  )
  select execution_id as "executionId", beat_due as "beatDue", null::integer as ask, ${NO_CANDIDATE}
  from execution where cast(
    case when (select count(*) from done) = $11::integer then 'true'
    else 'a note is not held by the execution that completes it' end as boolean)
  union all
  select null, null, c.ask, ${CLAIMED_CANDIDATE} from c`

/** $1 execution, $2 heartbeat interval, $3 exec_meta, $4 request id, $5 notes, $6 their number. No row: the execution is not running. */
export const COMPLETE = `
  with ${EXECUTION}, given as materialized (
    select g.* from jsonb_to_recordset($5) as g
      (place integer, platform text, note_id text, idempotency_key text, note jsonb)
    where exists (select from execution) limit $6::integer
  ), known as materialized (
    select g.place, t.status, t.processing_lock, t.retry_count
    from tbl_candidate t join given g on t.platform = g.platform and t.note_id = g.note_id
    order by t.platform, t.note_id for update of t
  ), judged as materialized (
    select g.*, coalesce(k.retry_count, 0) as retry_count,
      k.processing_lock is not distinct from $1 as is_held,
      coalesce(k.status = 'collected', false) or source.position is not null as is_written
    from given g left join known k on k.place = g.place
      left join lateral (
        -- What is held is seldom written, and then the insert finds out.
        select position from tbl_source s
        where k.processing_lock is distinct from $1 and s.platform = g.platform and s.note_id = g.note_id limit 1
      ) as source on true
  ), c as (
    update tbl_candidate t set status = 'collected', processing_lock = null, locked_at = null, exec_meta = $3
    from judged j
    where t.platform = j.platform and t.note_id = j.note_id and (j.is_held or j.is_written)
      and t.status <> 'collected'
    returning j.place, t.*
  ), writing as materialized (
    select pg_advisory_xact_lock_shared(${SOURCE_ORDER})
  ), s as (
    insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
    select j.platform, j.note_id, j.idempotency_key, j.note, j.retry_count, $3, (select now from execution)
    from writing cross join judged j where j.is_held and not j.is_written order by j.place
    on conflict (platform, note_id) do nothing returning *
  ), mirrored as (
    insert into outbox (table_name, op, key, fields, request_id, created_at)
    select table_name, op, key, fields, $4, (select now from execution) from (
      select j.place, 1 as part, 'tbl_source' as table_name, 'upsert' as op, s.idempotency_key as key,
        ${SOURCE_FIELDS} as fields
      from s join judged j on j.idempotency_key = s.idempotency_key
      union all
      select c.place, 2, ${MIRRORED_CANDIDATE} from c
    ) as changed order by place, part
  ), tallied as (
    insert into execution_tally (execution_id, processed, failed)
    -- Each once: a call that is repeated changes none.
    select $1, count(*), 0 from c having count(*) > 0
  )
  select execution.beat_due as "beatDue", j.place, case
      when s.position is not null then 'created'
      when j.is_held or j.is_written then 'skipped'
      else 'not-held' end as action
  from execution left join judged j on true
    left join s on s.idempotency_key = j.idempotency_key`

/** $1 execution, $2 heartbeat interval, $3 exec_meta, $4 request id, $5 items, $6 their number, $7 most attempts. No row: as above. */
export const FAIL = `
  with ${EXECUTION}, given as materialized (
    select g.* from jsonb_to_recordset($5) as g
      (place integer, platform text, note_id text, error_code text)
    where exists (select from execution) limit $6::integer
  ), held as materialized (
    select g.* from tbl_candidate t join given g on t.platform = g.platform and t.note_id = g.note_id
    where t.processing_lock = $1
    order by t.platform, t.note_id for update of t
  ), c as (
    update tbl_candidate t set processing_lock = null, locked_at = null, retry_count = t.retry_count + 1,
      status = case when t.retry_count + 1 >= $7::integer then 'failed' else 'pending' end,
      last_error_code = held.error_code, exec_meta = $3
    from held where t.platform = held.platform and t.note_id = held.note_id
    returning held.place, t.*
  ), mirrored as (
    insert into outbox (table_name, op, key, fields, request_id, created_at)
    select ${MIRRORED_CANDIDATE}, $4, sluice_now() from c order by c.place
  ), tallied as (
    insert into execution_tally (execution_id, processed, failed)
    select $1, 0, count(*) from c having count(*) > 0
  )
  select execution.beat_due as "beatDue", g.place, coalesce(c.status, 'not-held') as status
  from execution left join given g on true left join c on c.place = g.place`
