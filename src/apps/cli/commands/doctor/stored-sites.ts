import { systemRandom } from '../../../../core/random.ts'
import type { Result } from '../../../../core/result.ts'
import type { QuotaStore } from '../../../../stores/quota-store.ts'
import type { StorageState } from '../../../../submit/doctor/check-surroundings.ts'
import type { Patient } from '../../../../submit/doctor/patient.ts'
import type { SiteUnusable } from '../../../../submit/sealed-settings.ts'
import { listSites } from '../../../../submit/sites.ts'
import { openKeyRing } from '../../../node/key-ring.ts'
import type { Config } from '../../../settings.ts'
import { copyStore } from '../../copy-store.ts'

export interface StoredSites {
  readonly sites: readonly Result<Patient, SiteUnusable>[]
  readonly quota?: QuotaStore
  close(): void
}

const NONE: StoredSites = { sites: [], close() {} }

/** The sites in the folder, as a copy has them: the doctor brings no database up to date. */
export async function openStoredSites(config: Config, storage: StorageState): Promise<StoredSites> {
  const { state, schema, unreadable, unwritable } = storage
  if (state === 'absent' || unreadable !== undefined || unwritable !== undefined) return NONE
  if (schema && schema.found > schema.newest) return NONE
  const copy = copyStore(config)
  if (!copy.ok) return NONE
  const { stores, masterKey } = copy.value
  const { sealer } = openKeyRing(config, masterKey, systemRandom)
  const sites = await listSites({ sites: stores.sites, sealer, defaults: config })
  return { sites, quota: stores.quota, close: () => void stores.close() }
}
