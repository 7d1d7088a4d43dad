import { alertStoreContract } from '../contracts/alert-store.ts'
import { candidateStoreContract } from '../contracts/candidate-store.ts'
import { censusStoreContract } from '../contracts/census-store.ts'
import { cookieStoreContract } from '../contracts/cookie-store.ts'
import { executionStoreContract } from '../contracts/execution-store.ts'
import { leaseStoreContract } from '../contracts/lease-store.ts'
import { ledgerStoreContract } from '../contracts/ledger-store.ts'
import { outboxStoreContract } from '../contracts/outbox-store.ts'
import { quotaStoreContract } from '../contracts/quota-store.ts'
import { runStoreContract } from '../contracts/run-store.ts'
import { siteGlanceContract } from '../contracts/site-glance.ts'
import { siteStoreContract } from '../contracts/site-store.ts'
import { sourceStoreContract } from '../contracts/source-store.ts'
import { postgresBackend } from '../support/postgres-backend.ts'

siteStoreContract(postgresBackend)
ledgerStoreContract(postgresBackend)
quotaStoreContract(postgresBackend)
leaseStoreContract(postgresBackend)
runStoreContract(postgresBackend)
siteGlanceContract(postgresBackend)
alertStoreContract(postgresBackend)
cookieStoreContract(postgresBackend)
executionStoreContract(postgresBackend)
candidateStoreContract(postgresBackend)
censusStoreContract(postgresBackend)
sourceStoreContract(postgresBackend)
outboxStoreContract(postgresBackend)
