import type { Migration } from './migration.ts'

/** The four tables of SPEC C09 by their own names, and the outbox that carries their changes away. */
export const collect: Migration = {
  number: 2,
  name: 'collect',
  up: [
    `create table tbl_cookie (
      cookie_name text collate "C" primary key,
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
      updated_at bigint not null
    )`,
    `create index cookie_by_platform on tbl_cookie (platform, cookie_name)`,

    `create table tbl_crawl_execution (
      execution_id text collate "C" primary key,
      workflow_name text collate "C" not null,
      status text not null,
      started_at bigint not null,
      heartbeat_at bigint not null,
      completed_at bigint,
      items_processed bigint not null,
      items_failed bigint not null,
      fence bigint not null
    )`,
    // The lock itself: a second running execution of a workflow cannot be inserted.
    `create unique index execution_running on tbl_crawl_execution (workflow_name) where status = 'running'`,
    `create index execution_by_start on tbl_crawl_execution (started_at desc)`,
    `create unique index execution_fence on tbl_crawl_execution (workflow_name, fence)`,
    // What a running execution has done, a row for each call: eight workers that counted in one row would wait in line.
    `create table execution_tally (
      execution_id text collate "C" not null,
      processed integer not null,
      failed integer not null
    )`,
    `create index execution_tally_by_execution on execution_tally (execution_id)`,

    `create sequence candidate_position`,
    `create table tbl_candidate (
      platform text collate "C" not null,
      note_id text collate "C" not null,
      position bigint not null default nextval('candidate_position'),
      note_url text not null,
      status text not null,
      processing_lock text collate "C",
      locked_at bigint,
      retry_count integer not null,
      source_keyword text,
      last_error_code text,
      exec_meta jsonb not null,
      primary key (platform, note_id)
    )`,
    // A claim costs the same whether 1,000 or 200,000 others are waiting or done. There is no other index that begins with
    // position, so that no plan can walk over those that are done.
    `create index candidate_pending on tbl_candidate (position) where status = 'pending'`,
    `create index candidate_locked on tbl_candidate (processing_lock) where processing_lock is not null`,

    `create table tbl_source (
      position bigint generated always as identity primary key,
      platform text collate "C" not null,
      note_id text collate "C" not null,
      idempotency_key text collate "C" not null unique,
      note jsonb not null,
      processing_lock text,
      locked_at bigint,
      retry_count integer not null,
      last_error_code text,
      exec_meta jsonb not null,
      created_at bigint not null,
      unique (platform, note_id)
    )`,

    `create table outbox (
      id bigint generated always as identity primary key,
      table_name text not null,
      op text not null,
      key text not null,
      fields jsonb not null,
      client_token uuid not null default gen_random_uuid(),
      request_id text not null,
      created_at bigint not null
    )`,
  ],
  down: [
    ...[
      'outbox',
      'tbl_source',
      'tbl_candidate',
      'execution_tally',
      'tbl_crawl_execution',
      'tbl_cookie',
    ].map((table) => `drop table ${table}`),
    'drop sequence candidate_position',
  ],
}
