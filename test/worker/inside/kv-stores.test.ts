import { alertStoreContract } from '../../contracts/alert-store.ts'
import { leaseStoreContract } from '../../contracts/lease-store.ts'
import { ledgerStoreContract } from '../../contracts/ledger-store.ts'
import { quotaStoreContract } from '../../contracts/quota-store.ts'
import { runStoreContract } from '../../contracts/run-store.ts'
import { siteGlanceContract } from '../../contracts/site-glance.ts'
import { siteStoreContract } from '../../contracts/site-store.ts'
import { kvBackend } from './kv-backend.ts'

siteStoreContract(kvBackend)
ledgerStoreContract(kvBackend)
quotaStoreContract(kvBackend, {
  losesConcurrentSpends: 'KV has no atomic addition: the limit is soft there',
})
leaseStoreContract(kvBackend, { notAtomic: 'KV cannot compare and set' })
runStoreContract(kvBackend)
siteGlanceContract(kvBackend)
alertStoreContract(kvBackend, { notAtomic: 'KV cannot compare and set' })
