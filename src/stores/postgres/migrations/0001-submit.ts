import type { Migration } from './migration.ts'

export const submit: Migration = {
  number: 1,
  name: 'submit',
  up: [
    // The one clock of all servers. Of the statement's begin, so that one that had to wait decides by the earlier time:
    // what it takes ends sooner, and nobody is taken for silent too soon.
    `create function sluice_now() returns bigint language sql stable
      as $$ select floor(extract(epoch from statement_timestamp()) * 1000)::bigint $$`,

    // Says whether a server has the master key of the others.
    `create table master_key_check (
      only_row boolean primary key default true check (only_row),
      sealed text not null
    )`,

    `create table site (
      id text collate "C" primary key,
      settings jsonb not null,
      created_at bigint not null,
      updated_at bigint not null,
      version bigint not null
    )`,

    `create table ledger_fence (
      site_id text collate "C" primary key,
      fence bigint not null
    )`,
    `create table ledger_engine (
      site_id text collate "C" not null,
      number integer not null,
      name text collate "C" not null,
      primary key (site_id, number),
      unique (site_id, name)
    )`,
    `create table ledger_shard (
      site_id text collate "C" not null,
      prefix integer not null,
      entries bytea not null,
      primary key (site_id, prefix)
    )`,
    // Packed already.
    `alter table ledger_shard alter column entries set storage external`,
    `create table ledger_outcome (
      number bigint generated always as identity primary key,
      site_id text collate "C" not null,
      outcomes bytea not null
    )`,
    `create index ledger_outcome_by_site on ledger_outcome (site_id, number)`,
    `create table ledger_sitemap (
      site_id text collate "C" not null,
      number integer not null,
      url text not null,
      memory jsonb,
      primary key (site_id, number)
    )`,
    `create table ledger_url_chunk (
      number bigint generated always as identity primary key,
      site_id text collate "C" not null,
      list text collate "C" not null,
      count integer not null,
      urls bytea not null
    )`,
    `alter table ledger_url_chunk alter column urls set storage external`,
    `create index ledger_url_chunk_by_site on ledger_url_chunk (site_id, number)`,

    `create table quota (
      channel text collate "C" not null,
      site_id text collate "C" not null,
      day text collate "C" not null,
      used bigint not null,
      closed boolean not null,
      last_spent_at bigint,
      primary key (channel, site_id, day)
    )`,
    `create table quota_hold (
      channel text collate "C" not null,
      credential text collate "C" not null,
      until bigint not null,
      reason text not null,
      primary key (channel, credential)
    )`,

    `create table lease (
      name text collate "C" primary key,
      holder text not null,
      expires_at bigint not null,
      fence bigint not null
    )`,

    `create table run (
      id text collate "C" primary key,
      site_id text collate "C" not null,
      started_at bigint not null,
      finished_at bigint,
      status text not null,
      body jsonb not null
    )`,
    `create index run_by_site on run (site_id, started_at desc, id)`,
    `create table daily_total (
      day text collate "C" not null,
      site_id text collate "C" not null,
      channel text collate "C" not null,
      total bigint not null,
      successful bigint not null,
      primary key (day, site_id, channel)
    )`,

    `create table alert (
      key text collate "C" primary key,
      state jsonb not null
    )`,
    `create table alert_message (
      id bigint generated always as identity primary key,
      notice text not null,
      at bigint not null,
      alert jsonb not null,
      delivered_at bigint
    )`,
    `create index alert_message_undelivered on alert_message (id) where delivered_at is null`,
  ],
  down: [
    ...[
      'alert_message',
      'alert',
      'daily_total',
      'run',
      'lease',
      'quota_hold',
      'quota',
      'ledger_url_chunk',
      'ledger_sitemap',
      'ledger_outcome',
      'ledger_shard',
      'ledger_engine',
      'ledger_fence',
      'site',
      'master_key_check',
    ].map((table) => `drop table ${table}`),
    'drop function sluice_now()',
  ],
}
