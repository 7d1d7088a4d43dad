import { glancesOver } from '../site-glance.ts'
import type { Stores } from '../stores.ts'
import { postgresAlertStore } from './alert-store.ts'
import { postgresCandidateStore } from './candidate-store.ts'
import { postgresCensusStore } from './census-store.ts'
import { postgresCookieStore } from './cookie-store.ts'
import { postgresExecutionStore } from './execution-store.ts'
import { postgresLeaseStore } from './lease-store.ts'
import { postgresLedgerStore } from './ledger-store.ts'
import { postgresOutboxStore } from './outbox-store.ts'
import { postgresQuotaStore } from './quota-store.ts'
import { postgresRunStore } from './run-store.ts'
import { postgresSiteStore } from './site-store.ts'
import { postgresSourceStore } from './source-store.ts'
import type { Database } from './sql.ts'

/** Every store over one database whose schema is up to date. Their clock is the database's. */
export function postgresStores(database: Database): Stores {
  const sites = postgresSiteStore(database)
  const leases = postgresLeaseStore(database)
  const runs = postgresRunStore(database)
  return {
    sites,
    ledger: postgresLedgerStore(database),
    quota: postgresQuotaStore(database),
    leases,
    runs,
    glances: glancesOver({ sites, leases, runs }),
    alerts: postgresAlertStore(database),
    cookies: postgresCookieStore(database),
    executions: postgresExecutionStore(database),
    candidates: postgresCandidateStore(database),
    census: postgresCensusStore(database),
    sources: postgresSourceStore(database),
    outbox: postgresOutboxStore(database),
  }
}
