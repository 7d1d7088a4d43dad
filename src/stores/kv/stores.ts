import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import { glancesOver } from '../site-glance.ts'
import type { SubmitStores } from '../stores.ts'
import { kvAlertStore } from './alert-store.ts'
import { openDocuments } from './documents.ts'
import { type KvCounts, type KvNamespace, openKv } from './kv.ts'
import { kvLeaseStore } from './lease-store.ts'
import { kvLedgerStore } from './ledger-store.ts'
import { kvQuotaStore, type Overrun } from './quota-store.ts'
import { type KvRunStore, kvRunStore } from './run-store.ts'
import { kvSiteStore } from './site-store.ts'
import { openStamps } from './stamps.ts'

export interface KvStoresOptions {
  readonly namespace: KvNamespace
  readonly clock: Clock
  readonly random: Random
  readonly tellOverrun: (overrun: Overrun) => void
}

/** What the submit side remembers, for one invocation: what it has in memory is true for about as long. */
export interface KvStores extends SubmitStores {
  /** To be called at the end: writes what waits, and what another's write covered up. */
  flush(): Promise<void>
  used(): KvCounts
  readonly note: KvRunStore['note']
  readonly noteOf: KvRunStore['noteOf']
}

export function kvStores({ namespace, clock, random, tellOverrun }: KvStoresOptions): KvStores {
  const kv = openKv(namespace, clock)
  const documents = openDocuments(kv)
  const newStamp = openStamps(clock, random)
  const ledger = kvLedgerStore({ kv, documents, clock, newStamp })
  const runs = kvRunStore(kv, documents, clock)
  const quota = kvQuotaStore({ documents, clock, spender: newStamp(), tellOverrun })
  const forget = async (siteId: string) => {
    await ledger.forget(siteId)
    await runs.forget(siteId)
  }
  const sites = kvSiteStore(documents, clock, forget)
  const leases = kvLeaseStore(documents, clock)
  return {
    sites,
    ledger,
    quota,
    leases,
    runs,
    glances: glancesOver({ sites, leases, runs }),
    alerts: kvAlertStore(documents),
    async flush() {
      await runs.flush()
      await quota.reconcile()
    },
    used: kv.used,
    note: runs.note,
    noteOf: runs.noteOf,
  }
}
