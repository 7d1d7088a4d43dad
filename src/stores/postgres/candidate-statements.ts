import { CLAIMED_CANDIDATE, MIRRORED_CANDIDATE } from './candidate-row.ts'
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

/** Several executions at once: $1 heartbeat interval, $2 their ids, $3 how many those are. All of them run, or nothing is done. */
const EXECUTIONS = `
  execution as materialized (
    select execution_id, heartbeat_at <= sluice_now() - $1::bigint as beat_due from tbl_crawl_execution
    where execution_id = any ($2::text[]) and status = 'running'
    order by execution_id for share
  )`
const ALL_RUN = `(select count(*) from execution) = $3::integer`

/** Of `c`, what is claimed: so that it is found when its execution ends. */
const CLAIMED = `
  claimed as (
    insert into execution_claim (execution_id, platforms, note_ids)
    select processing_lock, array_agg(platform), array_agg(note_id) from c group by processing_lock
  )`

/** $4 how many in all, $5 asks, $6 for each record the ask that gets it. One row at least of each execution that runs. */
export const CLAIM = `
  with ${EXECUTIONS}, chosen as materialized (
    select ctid as tid from tbl_candidate where is_pending and ${ALL_RUN}
    order by position limit $4::integer for update skip locked
  ), c as (
    update tbl_candidate t set status = 'processing', processing_lock = $5::jsonb -> ask ->> 'execution_id',
      locked_at = (select sluice_now()), exec_meta = $5::jsonb -> ask -> 'exec_meta'
    from (select tid, ($6::integer[])[row_number() over ()] as ask from chosen) as key
    where t.ctid = key.tid
    returning key.ask, t.*
  ), ${CLAIMED}
  select execution.execution_id as "executionId", execution.beat_due as "beatDue", c.ask, ${CLAIMED_CANDIDATE}
  from execution left join c on c.processing_lock = execution.execution_id order by c.position`

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
  ), ${CLAIMED}
  select execution.beat_due as "beatDue", ${CLAIMED_CANDIDATE} from execution left join c on true order by c.place`

/**
 * What a completion nearly always is: each note held by the execution that completes it, and not there yet. Where that is
 * not so it refuses all of it, and COMPLETE decides.
 * $4 notes, $5 how many those are. One row of each execution that runs.
 */
export const COMPLETE_HELD = `
  with ${EXECUTIONS}, given as (
    select * from jsonb_to_recordset($4) as g (place integer, block integer, execution_id text, request_id text,
      exec_meta jsonb, platform text, note_id text, idempotency_key text, note jsonb)
    where ${ALL_RUN} order by platform, note_id limit $5::integer
  ), c as (
    update tbl_candidate t set status = 'collected', processing_lock = null, locked_at = null, exec_meta = g.exec_meta
    from given g
    where t.platform = g.platform and t.note_id = g.note_id and t.processing_lock = g.execution_id
    returning g.*, t.retry_count
  ), s as (
    insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
    select platform, note_id, idempotency_key, note, retry_count, exec_meta, (select sluice_now())
    from c where (select pg_advisory_xact_lock_shared(${SOURCE_ORDER}) is not null) order by place
  ), mirrored as (
    insert into outbox (platforms, note_ids, request_id, created_at)
    select array_agg(platform order by place), array_agg(note_id order by place), request_id, (select sluice_now())
    from c group by block, request_id order by block
  ), tallied as (
    insert into execution_tally (execution_id, processed, failed)
    select execution_id, count(*), 0 from c group by execution_id
  )
  select execution_id as "executionId", beat_due as "beatDue", cast(
      case when (select count(*) from c) = $5::integer then 'true'
      else 'a note is not held by the execution that completes it' end as boolean) as "isDone"
  from execution`

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
