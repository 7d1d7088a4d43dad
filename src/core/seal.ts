import { base64Url } from './base64-url.ts'
import { fernetKey, type FernetKey } from './fernet.ts'
import type { Random } from './random.ts'
import { fail, ok, type Result } from './result.ts'
import { Secret } from './secret.ts'

/** What secrets are sealed with, and the name under which that is remembered. */
export interface MasterKey {
  readonly keyId: string
  readonly masterKey: Secret
}

/** Why a sealed text does not open. None of it holds a part of the text. */
export type UnsealFailure =
  | { readonly kind: 'not-sealed' }
  | { readonly kind: 'unknown-algorithm'; readonly algorithm: string }
  | { readonly kind: 'unknown-key'; readonly keyId: string }
  /** Changed, sealed for something else, or by another key of the same id: nobody can tell which. */
  | { readonly kind: 'does-not-open'; readonly keyId: string }

/** Secrets at rest. Whoever holds the sealed texts but no master key learns only how long the secrets are. */
export interface Sealer {
  /** The key that `seal` uses; whatever `keyIdOf` says otherwise of is due for sealing anew. */
  readonly keyId: string
  /** `purpose` names the one place for which the text is good (`site:example.com:bingApiKey`): moved, it does not open. */
  seal(secret: Secret, purpose: string): Promise<string>
  unseal(sealed: string, purpose: string): Promise<Result<Secret, UnsealFailure>>
  /** Undefined for a text that was never sealed. */
  keyIdOf(sealed: string): string | undefined
}

export interface SealerOptions extends MasterKey {
  /** Keys that seal no more and must still open. */
  readonly oldKeys?: readonly MasterKey[]
  readonly random: Random
}

const BASE64_URL = base64Url('')
const ALGORITHM = 'aes-256-gcm'
const VERSION = 'v1'
const IV_BYTES = 12
const TAG_BYTES = 16

// `sealed:v1:aes-256-gcm:k1:…`: another algorithm is another word in the third place.
const SEALED = /^sealed:v1:([a-z0-9-]{1,32}):([\w.-]{1,64}):([\w-]*)$/

export function openSealer({ keyId, masterKey, oldKeys = [], random }: SealerOptions): Sealer {
  const keys = derivedKeys([{ keyId, masterKey }, ...oldKeys])
  return {
    keyId,
    async seal(secret, purpose) {
      const key = await keys.get(keyId)
      if (!key) throw new Error('The sealer has lost its own key.')
      const header = headerOf(keyId)
      const iv = new Uint8Array(random.bytes(IV_BYTES))
      const sealing = { name: 'AES-GCM', iv, additionalData: boundTo(header, purpose) }
      const cipher = await crypto.subtle.encrypt(sealing, key, bytesOf(secret))
      return `${header}:${BASE64_URL.write(joined(iv, new Uint8Array(cipher)))}`
    },
    async unseal(sealed, purpose) {
      const [, algorithm, id, text] = SEALED.exec(sealed) ?? []
      const bytes = BASE64_URL.read(text ?? '')
      if (algorithm === undefined || id === undefined || !bytes) return fail({ kind: 'not-sealed' })
      if (algorithm !== ALGORITHM) return fail({ kind: 'unknown-algorithm', algorithm })
      const key = await keys.get(id)
      if (!key) return fail({ kind: 'unknown-key', keyId: id })
      const plain = await decrypted(key, bytes, boundTo(headerOf(id), purpose))
      return plain ? ok(new Secret(plain.text)) : fail({ kind: 'does-not-open', keyId: id })
    },
    keyIdOf: (sealed) => SEALED.exec(sealed)?.[2],
  }
}

/** For people: what happened, why, what to do next. */
export function describeUnsealFailure(failure: UnsealFailure): string {
  switch (failure.kind) {
    case 'not-sealed':
      return 'The stored text is not a sealed secret: it was cut off or written by hand. Set the secret again.'
    case 'unknown-algorithm':
      return `The secret is sealed with ${failure.algorithm}, which this version does not know. Update Sluice, or set the secret again.`
    case 'unknown-key':
      return `The secret is sealed with the key "${failure.keyId}", which is not configured. Add ${failure.keyId}:<that key> to COOKIE_KEYS_OLD, or set the secret again.`
    case 'does-not-open':
      return `The secret does not open with the key "${failure.keyId}": it was changed, moved from elsewhere, or the key is another one under the same id. Restore the key, or set the secret again.`
  }
}

/** `k1:<key>,k2:<key>`, as COOKIE_KEYS_OLD is written. */
export function masterKeysFrom(list: Secret): readonly MasterKey[] {
  return list
    .reveal()
    .split(',')
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
    .map((entry) => {
      const colon = entry.indexOf(':')
      return { keyId: entry.slice(0, colon), masterKey: new Secret(entry.slice(colon + 1)) }
    })
}

/** Each key is derived when it is first needed, and once. */
function derivedKeys(masterKeys: readonly MasterKey[]) {
  const masters = new Map<string, Secret>()
  for (const { keyId, masterKey } of masterKeys) {
    const known = masters.get(keyId)
    if (known && known.reveal() !== masterKey.reveal()) {
      throw new Error(
        `Two different master keys have the id "${keyId}". Give the new one a new id.`,
      )
    }
    masters.set(keyId, masterKey)
  }
  const derived = new Map<string, Promise<CryptoKey>>()
  return {
    get(keyId: string): Promise<CryptoKey> | undefined {
      const master = masters.get(keyId)
      if (!master) return undefined
      const key = derived.get(keyId) ?? derive(keyId, master)
      derived.set(keyId, key)
      return key
    },
  }
}

async function derive(keyId: string, master: Secret): Promise<CryptoKey> {
  const material = await crypto.subtle.importKey('raw', utf8(master.reveal()), 'HKDF', false, [
    'deriveKey',
  ])
  const wanted = { name: 'AES-GCM', length: 256 }
  const usages = ['encrypt', 'decrypt'] as const
  return crypto.subtle.deriveKey(hkdf(headerOf(keyId)), material, wanted, false, usages)
}

const FERNET_KEY_BITS = 256

/**
 * The Fernet key of a master key: HKDF-SHA256 with the salt `sluice` and the info `fernet:v1:{key id}`, 32 bytes.
 * Whoever holds the master key can make the same one in any language.
 */
export async function fernetKeyFrom({ keyId, masterKey }: MasterKey): Promise<FernetKey> {
  const master = utf8(masterKey.reveal())
  const material = await crypto.subtle.importKey('raw', master, 'HKDF', false, ['deriveBits'])
  const derivation = hkdf(`fernet:${VERSION}:${keyId}`)
  return fernetKey(
    new Uint8Array(await crypto.subtle.deriveBits(derivation, material, FERNET_KEY_BITS)),
  )
}

const hkdf = (info: string) => ({
  name: 'HKDF',
  hash: 'SHA-256',
  salt: utf8('sluice'),
  info: utf8(info),
})

async function decrypted(key: CryptoKey, bytes: Uint8Array, additionalData: BufferSource) {
  if (bytes.length < IV_BYTES + TAG_BYTES) return undefined
  const sealing = { name: 'AES-GCM', iv: bytes.slice(0, IV_BYTES), additionalData }
  try {
    const plain = await crypto.subtle.decrypt(sealing, key, bytes.slice(IV_BYTES))
    return { text: new TextDecoder('utf-8', { ignoreBOM: true }).decode(plain) }
  } catch (error) {
    // WebCrypto's one word for a tag that does not match. Anything else is a bug.
    if (error instanceof Error && error.name === 'OperationError') return undefined
    throw error
  }
}

const headerOf = (keyId: string) => `sealed:${VERSION}:${ALGORITHM}:${keyId}`

/** The header cannot contain a line break: no header and purpose read like another pair. */
const boundTo = (header: string, purpose: string) => utf8(`${header}\n${purpose}`)

function bytesOf(secret: Secret) {
  const bytes = utf8(secret.reveal())
  if (new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes) === secret.reveal()) return bytes
  throw new Error(
    'The secret is not Unicode text (half of a surrogate pair) and would not come back whole.',
  )
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}

function utf8(text: string) {
  return new TextEncoder().encode(text)
}
