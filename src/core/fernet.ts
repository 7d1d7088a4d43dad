import { base64Url } from './base64-url.ts'
import type { Random } from './random.ts'

/** A Fernet key (https://github.com/fernet/spec): 16 bytes that sign, 16 that encrypt. */
export interface FernetKey {
  readonly signing: CryptoKey
  readonly encryption: CryptoKey
}

const BASE64_URL = base64Url('=')
const VERSION = 0x80
const IV_BYTES = 16
const HEAD_BYTES = 1 + 8 + IV_BYTES
const MAC_BYTES = 32
const BLOCK_BYTES = 16

export async function fernetKey(bytes: Uint8Array): Promise<FernetKey> {
  if (bytes.length !== 32) throw new RangeError(`a Fernet key has 32 bytes, not ${bytes.length}`)
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const [signing, encryption] = await Promise.all([
    crypto.subtle.importKey('raw', bytes.slice(0, 16), hmac, false, ['sign', 'verify']),
    crypto.subtle.importKey('raw', bytes.slice(16), 'AES-CBC', false, ['encrypt', 'decrypt']),
  ])
  return { signing, encryption }
}

export interface FernetMaking {
  /** Milliseconds; a token holds whole seconds. */
  readonly now: number
  readonly random: Random
}

/** `base64url(0x80 ‖ time ‖ IV ‖ AES-128-CBC ‖ HMAC-SHA256)`, as every Fernet library reads it. */
export async function fernetToken(
  { signing, encryption }: FernetKey,
  plain: Uint8Array<ArrayBuffer>,
  { now, random }: FernetMaking,
): Promise<string> {
  const iv = new Uint8Array(random.bytes(IV_BYTES))
  const cipher = await crypto.subtle.encrypt({ name: 'AES-CBC', iv }, encryption, plain)
  const signed = new Uint8Array(HEAD_BYTES + cipher.byteLength)
  signed[0] = VERSION
  new DataView(signed.buffer).setBigUint64(1, BigInt(Math.floor(now / 1_000)))
  signed.set(iv, 9)
  signed.set(new Uint8Array(cipher), HEAD_BYTES)
  const mac = new Uint8Array(await crypto.subtle.sign('HMAC', signing, signed))
  return BASE64_URL.write(new Uint8Array([...signed, ...mac]))
}

export interface FernetAge {
  readonly now: number
  /** Older tokens are refused, and those from further than a minute in the future. Left out: any age is good. */
  readonly ttlMs: number
}

const CLOCK_SKEW_MS = 60_000

/** What is in a token; undefined for one that is malformed, was changed, is of another key or too old. */
export async function fernetPlain(
  { signing, encryption }: FernetKey,
  token: string,
  age?: FernetAge,
): Promise<Uint8Array<ArrayBuffer> | undefined> {
  const bytes = BASE64_URL.read(token)
  if (!bytes || bytes[0] !== VERSION || bytes.length < HEAD_BYTES + BLOCK_BYTES + MAC_BYTES) {
    return undefined
  }
  const signed = bytes.slice(0, -MAC_BYTES)
  if (age && !isOfAge(signed, age)) return undefined
  const mac = bytes.slice(-MAC_BYTES)
  if (!(await crypto.subtle.verify('HMAC', signing, mac, signed))) return undefined
  const iv = signed.slice(9, HEAD_BYTES)
  try {
    const cipher = signed.slice(HEAD_BYTES)
    return new Uint8Array(await crypto.subtle.decrypt({ name: 'AES-CBC', iv }, encryption, cipher))
  } catch (error) {
    // WebCrypto's one word for blocks that are not whole or padding that is wrong. Anything else is a bug.
    if (error instanceof Error && error.name === 'OperationError') return undefined
    throw error
  }
}

function isOfAge(signed: Uint8Array<ArrayBuffer>, { now, ttlMs }: FernetAge): boolean {
  const madeAt = Number(new DataView(signed.buffer).getBigUint64(1)) * 1_000
  return madeAt + ttlMs >= now && madeAt <= now + CLOCK_SKEW_MS
}
