import { resolve } from 'node:path'
import { systemClock } from '../../../../core/clock.ts'
import { systemRandom } from '../../../../core/random.ts'
import { masterKeysFrom, openSealer } from '../../../../core/seal.ts'
import type { Result } from '../../../../core/result.ts'
import { Secret } from '../../../../core/secret.ts'
import type { QuotaStore } from '../../../../stores/quota-store.ts'
import type { StorageState } from '../../../../submit/doctor/check-surroundings.ts'
import type { Patient } from '../../../../submit/doctor/patient.ts'
import type { SiteUnusable } from '../../../../submit/sealed-settings.ts'
import { listSites } from '../../../../submit/sites.ts'
import { findSecret } from '../../../node/kept-secret.ts'
import { openSnapshot } from '../../../node/open-stores.ts'
import type { Config } from '../../../settings.ts'

export interface StoredSites {
  readonly sites: readonly Result<Patient, SiteUnusable>[]
  readonly quota?: QuotaStore
  close(): void
}

const NONE: StoredSites = { sites: [], close() {} }

/** The sites in the folder, where its database can be opened as it is: the doctor brings none up to date. */
export async function openStoredSites(config: Config, storage: StorageState): Promise<StoredSites> {
  const { state, schema, unreadable, unwritable } = storage
  if (state === 'absent' || unreadable !== undefined || unwritable !== undefined) return NONE
  if (schema?.found !== schema?.newest) return NONE
  const folder = resolve(config.sluiceData)
  const random = systemRandom
  // Without its key a site is found unusable, not passed over.
  const noKey = new Secret(random.uuid())
  const masterKey = config.cookieMasterKey ?? findSecret(folder, 'master-key') ?? noKey
  const opened = openSnapshot({ folder, clock: systemClock, random })
  if (!opened.ok) return NONE
  const stores = opened.value
  const oldKeys = config.cookieKeysOld ? masterKeysFrom(config.cookieKeysOld) : []
  const sealer = openSealer({ keyId: config.cookieKeyId, masterKey, oldKeys, random })
  const sites = await listSites({ sites: stores.sites, sealer, defaults: config })
  return { sites, quota: stores.quota, close: () => void stores.close() }
}
