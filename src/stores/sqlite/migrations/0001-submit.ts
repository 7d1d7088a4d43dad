import type { Migration } from './migration.ts'

export const submit: Migration = {
  number: 1,
  name: 'submit',
  up: [
    `create table site (
      id text primary key,
      settings text not null,
      created_at integer not null,
      updated_at integer not null,
      version integer not null
    ) strict`,

    `create table ledger_fence (
      site_id text primary key,
      fence integer not null
    ) strict`,
    `create table ledger_engine (
      site_id text not null,
      number integer not null,
      name text not null,
      primary key (site_id, number),
      unique (site_id, name)
    ) strict`,
    `create table ledger_shard (
      site_id text not null,
      prefix integer not null,
      entries blob not null,
      primary key (site_id, prefix)
    ) strict`,
    // Numbers are never used again, so that "folded through number 7" keeps its meaning.
    `create table ledger_outcome (
      number integer primary key autoincrement,
      site_id text not null,
      outcomes blob not null
    ) strict`,
    `create index ledger_outcome_by_site on ledger_outcome (site_id, number)`,
    `create table ledger_sitemap (
      site_id text not null,
      number integer not null,
      url text not null,
      memory text,
      primary key (site_id, number)
    ) strict`,
    `create table ledger_url_chunk (
      number integer primary key autoincrement,
      site_id text not null,
      list text not null,
      count integer not null,
      urls blob not null
    ) strict`,
    `create index ledger_url_chunk_by_site on ledger_url_chunk (site_id, number)`,

    `create table quota (
      channel text not null,
      site_id text not null,
      day text not null,
      used integer not null,
      closed integer not null,
      last_spent_at integer,
      primary key (channel, site_id, day)
    ) strict`,
    `create table quota_hold (
      channel text not null,
      credential text not null,
      until integer not null,
      reason text not null,
      primary key (channel, credential)
    ) strict`,

    `create table lease (
      name text primary key,
      holder text not null,
      expires_at integer not null,
      fence integer not null
    ) strict`,

    `create table run (
      id text primary key,
      site_id text not null,
      started_at integer not null,
      finished_at integer,
      status text not null,
      body text not null
    ) strict`,
    `create index run_by_site on run (site_id, started_at desc, id)`,
    `create table daily_total (
      day text not null,
      site_id text not null,
      channel text not null,
      total integer not null,
      successful integer not null,
      primary key (day, site_id, channel)
    ) strict`,

    `create table alert (
      key text primary key,
      state text not null
    ) strict`,
    `create table alert_message (
      id integer primary key autoincrement,
      notice text not null,
      at integer not null,
      alert text not null,
      delivered_at integer
    ) strict`,
    `create index alert_message_undelivered on alert_message (id) where delivered_at is null`,
  ],
  down: [
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
  ].map((table) => `drop table ${table}`),
}
