import type { Random } from '../../core/random.ts'
import { type MasterKey, masterKeysFrom, openSealer, type Sealer } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import type { Config } from '../settings.ts'

export interface KeyRing {
  readonly sealer: Sealer
  /** Current key first. */
  readonly keys: readonly MasterKey[]
}

/** The key that secrets are sealed with, and those that older ones still open with. */
export function openKeyRing(
  { cookieKeyId: keyId, cookieKeysOld }: Pick<Config, 'cookieKeyId' | 'cookieKeysOld'>,
  masterKey: Secret,
  random: Random,
): KeyRing {
  const oldKeys = cookieKeysOld ? masterKeysFrom(cookieKeysOld) : []
  const sealer = openSealer({ keyId, masterKey, oldKeys, random })
  return { sealer, keys: [{ keyId, masterKey }, ...oldKeys] }
}
