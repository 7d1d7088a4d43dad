import type { Migration } from './migration.ts'

/** The four tables of SPEC C09 by their own names, and the outbox that carries their changes away. */
export const collect: Migration = {
  number: 2,
  name: 'collect',
  up: [
    `create table tbl_cookie (
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
    ) strict`,
    `create index cookie_by_platform on tbl_cookie (platform, cookie_name)`,

    `create table tbl_crawl_execution (
      execution_id text primary key,
      workflow_name text not null,
      status text not null,
      started_at integer not null,
      heartbeat_at integer not null,
      completed_at integer,
      items_processed integer not null,
      items_failed integer not null,
      fence integer not null
    ) strict`,
    // The lock itself: a second running execution of a workflow cannot be inserted.
    `create unique index execution_running on tbl_crawl_execution (workflow_name) where status = 'running'`,
    `create index execution_by_start on tbl_crawl_execution (started_at desc)`,
    `create unique index execution_fence on tbl_crawl_execution (workflow_name, fence)`,

    `create table tbl_candidate (
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
    ) strict`,
    // A claim costs the same whether 1,000 or 200,000 others are waiting or done.
    `create index candidate_pending on tbl_candidate (position) where status = 'pending'`,
    `create index candidate_locked on tbl_candidate (processing_lock) where processing_lock is not null`,

    `create table tbl_source (
      position integer primary key autoincrement,
      platform text not null,
      note_id text not null,
      idempotency_key text not null unique,
      note text not null,
      processing_lock text,
      locked_at integer,
      retry_count integer not null,
      last_error_code text,
      exec_meta text not null,
      created_at integer not null,
      unique (platform, note_id)
    ) strict`,

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
  ],
  down: ['outbox', 'tbl_source', 'tbl_candidate', 'tbl_crawl_execution', 'tbl_cookie'].map(
    (table) => `drop table ${table}`,
  ),
}
