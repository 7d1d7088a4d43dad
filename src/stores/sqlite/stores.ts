import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import type { Stores } from '../stores.ts'
import { sqliteAlertStore } from './alert-store.ts'
import { sqliteCandidateStore } from './candidate-store.ts'
import { sqliteCensusStore } from './census-store.ts'
import { sqliteCookieStore } from './cookie-store.ts'
import { sqliteExecutionStore } from './execution-store.ts'
import { sqliteLeaseStore } from './lease-store.ts'
import { sqliteLedgerStore } from './ledger-store.ts'
import { sqliteMirror } from './mirror.ts'
import { sqliteOutboxStore } from './outbox-store.ts'
import { sqliteQuotaStore } from './quota-store.ts'
import { sqliteRunStore } from './run-store.ts'
import { sqliteGlances } from './site-glance.ts'
import { sqliteSiteStore } from './site-store.ts'
import { sqliteSourceStore } from './source-store.ts'
import type { Sql } from './sql.ts'

/** Every store over one database whose schema is up to date. */
export function sqliteStores({
  sql,
  clock,
  random,
}: {
  sql: Sql
  clock: Clock
  random: Random
}): Stores {
  const mirror = sqliteMirror(sql, clock, random)
  return {
    sites: sqliteSiteStore(sql, clock),
    ledger: sqliteLedgerStore(sql),
    quota: sqliteQuotaStore(sql, clock),
    leases: sqliteLeaseStore(sql, clock),
    runs: sqliteRunStore(sql),
    alerts: sqliteAlertStore(sql),
    glances: sqliteGlances(sql, clock),
    cookies: sqliteCookieStore(sql, clock, mirror),
    executions: sqliteExecutionStore(sql, clock, mirror),
    candidates: sqliteCandidateStore(sql, clock, mirror),
    census: sqliteCensusStore(sql),
    sources: sqliteSourceStore(sql),
    outbox: sqliteOutboxStore(sql),
  }
}
