import { resolve } from 'node:path'
import { systemClock } from '../../core/clock.ts'
import { systemRandom } from '../../core/random.ts'
import { ok, type Result } from '../../core/result.ts'
import { Secret } from '../../core/secret.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import { findSecret } from '../node/kept-secret.ts'
import { openSnapshot } from '../node/open-stores.ts'
import type { StartFailure } from '../node/start-failure.ts'
import type { Config } from '../settings.ts'

export interface CopiedStore {
  readonly stores: OpenedStores
  readonly masterKey: Secret
  readonly authorKey: Secret
}

/** What is in the data folder at this moment, in memory, with the keys that belong to it. */
export function copyStore(config: Config): Result<CopiedStore, StartFailure> {
  const folder = resolve(config.sluiceData)
  const stores = openSnapshot({ folder, clock: systemClock, random: systemRandom })
  if (!stores.ok) return stores
  return ok({
    stores: stores.value,
    masterKey: config.cookieMasterKey ?? findSecret(folder, 'master-key') ?? newSecret(),
    authorKey: config.collectAuthorKey ?? findSecret(folder, 'author-key') ?? newSecret(),
  })
}

/** Without its key a site is found unusable, not passed over; what is sealed with this one is thrown away. */
const newSecret = () => new Secret(systemRandom.uuid())
