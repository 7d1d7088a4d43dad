import { fail, ok, type Result } from '../../core/result.ts'
import type { Sealer } from '../../core/seal.ts'
import { Secret } from '../../core/secret.ts'
import type { KeyCheck } from '../../stores/postgres/key-check.ts'
import type { StartFailure } from './start-failure.ts'

type KeyDiffers = Extract<StartFailure, { kind: 'master-key-differs' }>

const PURPOSE = 'master-key-check'

/** The first server's key is everybody's: one with another key could not open what the others sealed. */
export async function agreeOnKey(
  keyCheck: KeyCheck,
  sealer: Sealer,
): Promise<Result<void, KeyDiffers>> {
  const own = await sealer.seal(new Secret(PURPOSE), PURPOSE)
  const agreed = await keyCheck.agree(own)
  const opened = await sealer.unseal(agreed, PURPOSE)
  if (!opened.ok) return fail({ kind: 'master-key-differs', keyId: sealer.keyIdOf(agreed) ?? '?' })
  if (sealer.keyIdOf(agreed) !== sealer.keyId) await keyCheck.replace(agreed, own)
  return ok(undefined)
}
