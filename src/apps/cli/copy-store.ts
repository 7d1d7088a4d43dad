import { resolve } from 'node:path'
import { systemClock } from '../../core/clock.ts'
import { systemRandom } from '../../core/random.ts'
import { ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import type { OpenedStores } from '../../stores/sqlite/open.ts'
import { findSecret } from '../node/kept-secret.ts'
import { openSnapshot } from '../node/open-stores.ts'
import type { StartFailure } from '../node/start-failure.ts'
import type { Config } from '../settings.ts'

export interface CopiedStore {
  readonly stores: OpenedStores
  readonly masterKey: Secret
}

/** What is in the data folder at this moment, in memory, with the key that its secrets are sealed with. */
export function copyStore(config: Config): Result<CopiedStore, StartFailure> {
  const folder = resolve(config.sluiceData)
  const stores = openSnapshot({ folder, clock: systemClock, random: systemRandom })
  if (!stores.ok) return stores
  const kept = config.cookieMasterKey ?? findSecret(folder, 'master-key')
  // Without its key a site is found unusable, not passed over; what is sealed with this one is thrown away.
  return ok({ stores: stores.value, masterKey: kept ?? new Secret(systemRandom.uuid()) })
}
