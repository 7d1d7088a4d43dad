CREATE TABLE alert (
  key text primary key,
  state text not null
) strict;

CREATE TABLE alert_message (
  id integer primary key autoincrement,
  notice text not null,
  at integer not null,
  alert text not null,
  delivered_at integer
) strict;

CREATE TABLE candidate_census (
  day text primary key,
  counted_at integer not null,
  pending integer not null,
  processing integer not null,
  collected integer not null,
  failed integer not null
) strict;

CREATE TABLE daily_total (
  day text not null,
  site_id text not null,
  channel text not null,
  total integer not null,
  successful integer not null,
  primary key (day, site_id, channel)
) strict;

CREATE TABLE execution_claim (
  number integer primary key,
  execution_id text not null,
  positions text not null
) strict;

CREATE TABLE lease (
  name text primary key,
  holder text not null,
  expires_at integer not null,
  fence integer not null
) strict;

CREATE TABLE ledger_engine (
  site_id text not null,
  number integer not null,
  name text not null,
  primary key (site_id, number),
  unique (site_id, name)
) strict;

CREATE TABLE ledger_fence (
  site_id text primary key,
  fence integer not null
) strict;

CREATE TABLE ledger_outcome (
  number integer primary key autoincrement,
  site_id text not null,
  outcomes blob not null
) strict;

CREATE TABLE ledger_shard (
  site_id text not null,
  prefix integer not null,
  entries blob not null,
  primary key (site_id, prefix)
) strict;

CREATE TABLE ledger_sitemap (
  site_id text not null,
  number integer not null,
  url text not null,
  memory text,
  primary key (site_id, number)
) strict;

CREATE TABLE ledger_url_chunk (
  number integer primary key autoincrement,
  site_id text not null,
  list text not null,
  count integer not null,
  urls blob not null
) strict;

CREATE TABLE outbox (
  id integer primary key autoincrement,
  table_name text,
  op text,
  key text,
  fields text,
  notes text,
  client_token text not null,
  request_id text not null,
  created_at integer not null
) strict;

CREATE TABLE quota (
  channel text not null,
  site_id text not null,
  day text not null,
  used integer not null,
  closed integer not null,
  last_spent_at integer,
  primary key (channel, site_id, day)
) strict;

CREATE TABLE quota_hold (
  channel text not null,
  credential text not null,
  until integer not null,
  reason text not null,
  primary key (channel, credential)
) strict;

CREATE TABLE run (
  id text primary key,
  site_id text not null,
  started_at integer not null,
  finished_at integer,
  status text not null,
  body text not null
) strict;

CREATE TABLE schema_migration (
number integer primary key, name text not null, applied_at integer not null
  ) strict;

CREATE TABLE site (
  id text primary key,
  settings text not null,
  created_at integer not null,
  updated_at integer not null,
  version integer not null
) strict;

CREATE TABLE tbl_candidate (
  position integer primary key autoincrement,
  platform text not null,
  note_id text not null,
  note_url text not null,
  status text not null,
  processing_lock text,
  locked_at integer,
  retry_count integer not null,
  source_keyword text,
  last_error_code text,
  exec_meta text not null,
  unique (platform, note_id)
) strict;

CREATE TABLE tbl_cookie (
  cookie_name text primary key,
  platform text not null,
  cookie_encrypted text not null,
  encryption_key_id text not null,
  status text not null,
  priority integer not null,
  daily_used integer not null,
  used_day text not null,
  daily_limit integer not null,
  consecutive_errors integer not null,
  total_errors integer not null,
  cooling_until integer,
  created_at integer not null,
  updated_at integer not null
) strict;

CREATE TABLE tbl_crawl_execution (
  execution_id text primary key,
  workflow_name text not null,
  status text not null,
  started_at integer not null,
  heartbeat_at integer not null,
  completed_at integer,
  items_processed integer not null,
  items_failed integer not null,
  fence integer not null
) strict;

CREATE TABLE tbl_source (
  position integer primary key autoincrement,
  platform text not null,
  note_id text not null,
  idempotency_key text not null,
  note text not null,
  processing_lock text,
  locked_at integer,
  retry_count integer not null,
  last_error_code text,
  exec_meta text not null,
  created_at integer not null,
  unique (platform, note_id)
) strict;

CREATE INDEX alert_message_undelivered on alert_message (id) where delivered_at is null;

CREATE INDEX candidate_pending on tbl_candidate (position) where status = 'pending';

CREATE INDEX cookie_by_platform on tbl_cookie (platform, cookie_name);

CREATE INDEX execution_by_start on tbl_crawl_execution (started_at desc);

CREATE UNIQUE INDEX execution_fence on tbl_crawl_execution (workflow_name, fence);

CREATE UNIQUE INDEX execution_running on tbl_crawl_execution (workflow_name) where status = 'running';

CREATE INDEX ledger_outcome_by_site on ledger_outcome (site_id, number);

CREATE INDEX ledger_url_chunk_by_site on ledger_url_chunk (site_id, number);

CREATE INDEX run_by_site on run (site_id, started_at desc, id desc);
