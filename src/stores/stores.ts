import type { AlertStore } from './alert-store.ts'
import type { CandidateStore } from './candidate-store.ts'
import type { CensusStore } from './census-store.ts'
import type { CookieStore } from './cookie-store.ts'
import type { ExecutionStore } from './execution-store.ts'
import type { LeaseStore } from './lease-store.ts'
import type { LedgerStore } from './ledger-store.ts'
import type { OutboxStore } from './outbox-store.ts'
import type { QuotaStore } from './quota-store.ts'
import type { RunStore } from './run-store.ts'
import type { SiteGlances } from './site-glance.ts'
import type { SiteStore } from './site-store.ts'
import type { SourceStore } from './source-store.ts'

/** What the submit side remembers. */
export interface SubmitStores {
  readonly sites: SiteStore
  readonly ledger: LedgerStore
  readonly quota: QuotaStore
  readonly leases: LeaseStore
  readonly runs: RunStore
  readonly alerts: AlertStore
  /** Looks into three of the above: whoever puts others in their place takes `glancesOver` those. */
  readonly glances: SiteGlances
}

/** What the collect side remembers. */
export interface CollectStores {
  readonly cookies: CookieStore
  readonly executions: ExecutionStore
  readonly candidates: CandidateStore
  readonly census: CensusStore
  readonly sources: SourceStore
  readonly outbox: OutboxStore
  readonly alerts: AlertStore
}

export type Stores = SubmitStores & CollectStores
