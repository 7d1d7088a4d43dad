import type { Clock } from '../../core/clock.ts'
import { type FernetKey, fernetPlain, fernetToken } from '../../core/fernet.ts'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import { fernetKeyFrom, type MasterKey, type Sealer, type UnsealFailure } from '../../core/seal.ts'
import { Secret } from '../../core/secret.ts'
import type { CookieRecord } from '../../stores/cookie-store.ts'

export type CipherName = 'aes-256-gcm' | 'fernet'

type SealedCookie = Pick<CookieRecord, 'cookieName' | 'cookieEncrypted' | 'encryptionKeyId'>

/** Cookies at rest (SPEC C07). Whoever has the table but no master key learns only how long they are. */
export interface CookieCipher {
  seal(cookieName: string, cookie: Secret): Promise<SealedCookie>
  /** Whatever it was sealed with: the text says. */
  open(sealed: SealedCookie): Promise<Result<Secret, UnsealFailure>>
  /** Whether it was sealed otherwise than `seal` does it now. */
  isOld(sealed: SealedCookie): boolean
}

export interface CookieCipherOptions {
  readonly name: CipherName
  readonly sealer: Sealer
  /** The keys of the sealer. */
  readonly keys: readonly MasterKey[]
  readonly clock: Clock
  readonly random: Random
}

/**
 * `aes-256-gcm` binds a cookie to its name: moved to another row, it does not open. Fernet cannot do that; it is for
 * those who open their cookies with Python too.
 */
export function openCookieCipher(options: CookieCipherOptions): CookieCipher {
  const { name, sealer, keys, clock, random } = options
  const fernetKeys = new Map<string, Promise<FernetKey>>()
  const fernetKeyOf = (keyId: string) => {
    const master = keys.find((key) => key.keyId === keyId)
    const key = fernetKeys.get(keyId) ?? (master && fernetKeyFrom(master))
    if (key) fernetKeys.set(keyId, key)
    return key
  }
  const openFernet = async (keyId: string, token: string) => {
    const key = await fernetKeyOf(keyId)
    if (!key) return fail({ kind: 'unknown-key' as const, keyId })
    const plain = await fernetPlain(key, token)
    if (!plain) return fail({ kind: 'does-not-open' as const, keyId })
    return ok(new Secret(new TextDecoder().decode(plain)))
  }
  return {
    async seal(cookieName, cookie) {
      const encryptionKeyId = sealer.keyId
      if (name === 'aes-256-gcm') {
        const cookieEncrypted = await sealer.seal(cookie, purposeOf(cookieName))
        return { cookieName, cookieEncrypted, encryptionKeyId }
      }
      const key = await fernetKeyOf(encryptionKeyId)
      if (!key) throw new Error('The cipher has lost its own key.')
      const plain = new TextEncoder().encode(cookie.reveal())
      const token = await fernetToken(key, plain, { now: clock.now(), random })
      return { cookieName, cookieEncrypted: `${FERNET}${token}`, encryptionKeyId }
    },
    open: ({ cookieName, cookieEncrypted, encryptionKeyId }) =>
      cookieEncrypted.startsWith(FERNET)
        ? openFernet(encryptionKeyId, cookieEncrypted.slice(FERNET.length))
        : sealer.unseal(cookieEncrypted, purposeOf(cookieName)),
    isOld: ({ cookieEncrypted, encryptionKeyId }) =>
      encryptionKeyId !== sealer.keyId ||
      cookieEncrypted.startsWith(FERNET) !== (name === 'fernet'),
  }
}

/** The text names its algorithm; what follows is the token, as any Fernet library takes it. */
const FERNET = 'fernet:'

const purposeOf = (cookieName: string) => `cookie:${cookieName}`
