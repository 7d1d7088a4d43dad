import { CANDIDATE, MIRRORED_CANDIDATE } from './candidate-row.ts'
import { SOURCE_ORDER } from './source-store.ts'

// Each is one statement, for one round trip and one commit. Rows are locked in the order of their keys, whoever locks
// them; where a statement had to wait for a lock, what it read before may be old, so it decides by locked rows only.
// The limits leave nothing out: they tell the planner that little is looked up, which it else does by reading everything.

/** Share: claims and completions of one execution go side by side, while whoever ends it waits for them. */
const EXECUTION = `
  execution as materialized (
    select heartbeat_at <= sluice_now() - $2::bigint as beat_due from tbl_crawl_execution
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

/** $1 execution, $2 heartbeat interval, $3 batch size, $4 exec_meta. No row: the execution is not running. */
export const CLAIM = `
  with ${EXECUTION}, chosen as materialized (
    select platform, note_id from tbl_candidate
    where status = 'pending' and exists (select from execution)
    order by position limit $3 for update skip locked
  ), c as (
    update tbl_candidate t set status = 'processing', processing_lock = $1, locked_at = sluice_now(), exec_meta = $4
    from chosen where t.platform = chosen.platform and t.note_id = chosen.note_id
    returning t.*
  )
  select execution.beat_due as "beatDue", ${CANDIDATE} from execution left join c on true order by c.position`

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
    update tbl_candidate t set status = 'processing', processing_lock = $1, locked_at = sluice_now(), exec_meta = $4
    from chosen where t.platform = chosen.platform and t.note_id = chosen.note_id
    returning chosen.place, t.*
  )
  select execution.beat_due as "beatDue", ${CANDIDATE} from execution left join c on true order by c.place`

/** $1 execution, $2 heartbeat interval, $3 exec_meta, $4 request id, $5 notes, $6 their number. No row: the execution is not running. */
export const COMPLETE = `
  with ${EXECUTION}, given as materialized (
    select g.* from jsonb_to_recordset($5) as g
      (place integer, platform text, note_id text, idempotency_key text, note jsonb)
    where exists (select from execution) limit $6::integer
  ), known as materialized (
    select t.platform, t.note_id, t.status, t.processing_lock, t.retry_count
    from tbl_candidate t join given g on t.platform = g.platform and t.note_id = g.note_id
    order by t.platform, t.note_id for update of t
  ), judged as materialized (
    select g.*, coalesce(k.retry_count, 0) as retry_count,
      k.processing_lock is not distinct from $1 as is_held,
      coalesce(k.status = 'collected', false) or source.position is not null as is_written
    from given g left join known k on k.platform = g.platform and k.note_id = g.note_id
      left join lateral (
        select position from tbl_source s where s.platform = g.platform and s.note_id = g.note_id limit 1
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
    select j.platform, j.note_id, j.idempotency_key, j.note, j.retry_count, $3, sluice_now()
    from writing cross join judged j where j.is_held and not j.is_written order by j.place
    on conflict (platform, note_id) do nothing returning *
  ), mirrored as (
    insert into outbox (table_name, op, key, fields, request_id, created_at)
    select table_name, op, key, fields, $4, sluice_now() from (
      select j.place, 1 as part, 'tbl_source' as table_name, 'upsert' as op, s.idempotency_key as key,
        s.note || jsonb_build_object('platform', s.platform, 'note_id', s.note_id,
          'idempotency_key', s.idempotency_key, 'retry_count', s.retry_count, 'exec_meta', s.exec_meta,
          'created_at', s.created_at) as fields
      from s join judged j on j.platform = s.platform and j.note_id = s.note_id
      union all
      select c.place, 2, ${MIRRORED_CANDIDATE} from c
    ) as changed order by place, part
  ), tallied as (
    insert into execution_tally (execution_id, processed, failed)
    select $1, count(*), 0 from judged where is_held or is_written having count(*) > 0
  )
  select execution.beat_due as "beatDue", j.place, case
      when s.position is not null then 'created'
      when j.is_held or j.is_written then 'skipped'
      else 'not-held' end as action
  from execution left join judged j on true
    left join s on s.platform = j.platform and s.note_id = j.note_id`

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
