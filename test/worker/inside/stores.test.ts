import { alertStoreContract } from '../../contracts/alert-store.ts'
import { leaseStoreContract } from '../../contracts/lease-store.ts'
import { ledgerStoreContract } from '../../contracts/ledger-store.ts'
import { quotaStoreContract } from '../../contracts/quota-store.ts'
import { runStoreContract } from '../../contracts/run-store.ts'
import { siteGlanceContract } from '../../contracts/site-glance.ts'
import { siteStoreContract } from '../../contracts/site-store.ts'
import { durableBackend } from './durable-backend.ts'

siteStoreContract(durableBackend)
ledgerStoreContract(durableBackend)
quotaStoreContract(durableBackend)
leaseStoreContract(durableBackend)
runStoreContract(durableBackend)
siteGlanceContract(durableBackend)
alertStoreContract(durableBackend)
