create table alert (
  key text collate "C" not null,
  state jsonb not null,
  PRIMARY KEY (key)
);

create table alert_message (
  id bigint not null generated always as identity,
  notice text not null,
  at bigint not null,
  alert jsonb not null,
  delivered_at bigint,
  PRIMARY KEY (id)
);

create table candidate_census (
  day text collate "C" not null,
  counted_at bigint not null,
  pending bigint not null,
  processing bigint not null,
  collected bigint not null,
  failed bigint not null,
  PRIMARY KEY (day)
);

create table daily_total (
  day text collate "C" not null,
  site_id text collate "C" not null,
  channel text collate "C" not null,
  total bigint not null,
  successful bigint not null,
  PRIMARY KEY (day, site_id, channel)
);

create table execution_tally (
  execution_id text collate "C" not null,
  processed integer not null default 0,
  failed integer not null default 0,
  claimed text[]
);

create table lease (
  name text collate "C" not null,
  holder text not null,
  expires_at bigint not null,
  fence bigint not null,
  PRIMARY KEY (name)
);

create table ledger_engine (
  site_id text collate "C" not null,
  number integer not null,
  name text collate "C" not null,
  PRIMARY KEY (site_id, number),
  UNIQUE (site_id, name)
);

create table ledger_fence (
  site_id text collate "C" not null,
  fence bigint not null,
  PRIMARY KEY (site_id)
);

create table ledger_outcome (
  number bigint not null generated always as identity,
  site_id text collate "C" not null,
  outcomes bytea not null,
  PRIMARY KEY (number)
);

create table ledger_shard (
  site_id text collate "C" not null,
  prefix integer not null,
  entries bytea storage external not null,
  PRIMARY KEY (site_id, prefix)
);

create table ledger_sitemap (
  site_id text collate "C" not null,
  number integer not null,
  url text not null,
  memory jsonb,
  PRIMARY KEY (site_id, number)
);

create table ledger_url_chunk (
  number bigint not null generated always as identity,
  site_id text collate "C" not null,
  list text collate "C" not null,
  count integer not null,
  urls bytea storage external not null,
  PRIMARY KEY (number)
);

create table master_key_check (
  only_row boolean not null default true,
  sealed text not null,
  CHECK (only_row),
  PRIMARY KEY (only_row)
);

create table outbox (
  id bigint not null generated always as identity (increment by 64),
  table_name text,
  op text,
  key text,
  fields jsonb,
  client_token uuid not null default gen_random_uuid(),
  request_id text not null,
  created_at bigint not null,
  notes text[],
  PRIMARY KEY (id)
);

create table quota (
  channel text collate "C" not null,
  site_id text collate "C" not null,
  day text collate "C" not null,
  used bigint not null,
  closed boolean not null,
  last_spent_at bigint,
  PRIMARY KEY (channel, site_id, day)
);

create table quota_hold (
  channel text collate "C" not null,
  credential text collate "C" not null,
  until bigint not null,
  reason text not null,
  PRIMARY KEY (channel, credential)
);

create table run (
  id text collate "C" not null,
  site_id text collate "C" not null,
  started_at bigint not null,
  finished_at bigint,
  status text not null,
  body jsonb not null,
  PRIMARY KEY (id)
);

create table schema_migration (
  number integer not null,
  name text not null,
  applied_at bigint not null,
  PRIMARY KEY (number)
);

create table site (
  id text collate "C" not null,
  settings jsonb not null,
  created_at bigint not null,
  updated_at bigint not null,
  version bigint not null,
  PRIMARY KEY (id)
);

create table tbl_candidate (
  platform text collate "C" not null,
  note_id text collate "C" not null,
  position bigint not null default nextval('candidate_position'::regclass),
  note_url text not null,
  status text not null,
  processing_lock text collate "C",
  locked_at bigint,
  retry_count integer not null,
  source_keyword text,
  last_error_code text,
  exec_meta jsonb not null,
  is_pending boolean not null generated always as (status = 'pending'::text) stored,
  PRIMARY KEY (platform, note_id)
) with (fillfactor=70);

create table tbl_cookie (
  cookie_name text collate "C" not null,
  platform text collate "C" not null,
  cookie_encrypted text not null,
  encryption_key_id text not null,
  status text not null,
  priority integer not null,
  daily_used integer not null,
  used_day text not null,
  daily_limit integer not null,
  consecutive_errors integer not null,
  total_errors integer not null,
  cooling_until bigint,
  created_at bigint not null,
  updated_at bigint not null,
  PRIMARY KEY (cookie_name)
);

create table tbl_crawl_execution (
  execution_id text collate "C" not null,
  workflow_name text collate "C" not null,
  status text not null,
  started_at bigint not null,
  heartbeat_at bigint not null,
  completed_at bigint,
  items_processed bigint not null,
  items_failed bigint not null,
  fence bigint not null,
  PRIMARY KEY (execution_id)
);

create table tbl_source (
  position bigint not null generated always as identity,
  platform text collate "C" not null,
  note_id text collate "C" not null,
  idempotency_key text collate "C" not null,
  note jsonb not null,
  processing_lock text,
  locked_at bigint,
  retry_count integer not null,
  last_error_code text,
  exec_meta jsonb not null,
  created_at bigint not null,
  PRIMARY KEY ("position"),
  UNIQUE (platform, note_id)
);

create INDEX alert_message_undelivered on alert_message USING btree (id) WHERE (delivered_at IS NULL);

create INDEX candidate_pending on tbl_candidate USING btree ("position") WHERE is_pending;

create INDEX cookie_by_platform on tbl_cookie USING btree (platform, cookie_name);

create INDEX execution_by_start on tbl_crawl_execution USING btree (started_at DESC);

create UNIQUE INDEX execution_fence on tbl_crawl_execution USING btree (workflow_name, fence);

create UNIQUE INDEX execution_running on tbl_crawl_execution USING btree (workflow_name) WHERE (status = 'running'::text);

create INDEX execution_tally_by_execution on execution_tally USING btree (execution_id);

create INDEX ledger_outcome_by_site on ledger_outcome USING btree (site_id, number);

create INDEX ledger_url_chunk_by_site on ledger_url_chunk USING btree (site_id, number);

create INDEX run_by_site on run USING btree (site_id, started_at DESC, id DESC);

create sequence candidate_position;

CREATE OR REPLACE FUNCTION public.sluice_now()
 RETURNS bigint
 LANGUAGE sql
 STABLE
AS $function$ select floor(extract(epoch from statement_timestamp()) * 1000)::bigint $function$;
