import type { Secret } from '../../core/secret.ts'
import type { Author } from '../note.ts'

/** An author as a platform names them. It goes into `hide` and nowhere else. */
export interface NamedAuthor {
  readonly id?: string | undefined
  readonly name?: string | undefined
}

export interface Authors {
  /** Undefined where nobody is named. The same person on the same platform is the same hash, under the same key. */
  hide(platform: string, author: NamedAuthor): Promise<Author | undefined>
}

/** Without the key a hash cannot be tried against a list of names. */
export function openAuthors(key: Secret): Authors {
  let imported: Promise<CryptoKey> | undefined
  return {
    async hide(platform, { id, name }) {
      const named = [id, name].find((word) => word !== undefined && word.trim() !== '')?.trim()
      if (named === undefined) return undefined
      imported ??= importKey(key)
      const message = new TextEncoder().encode(`${platform}\n${named}`)
      const hash = await crypto.subtle.sign('HMAC', await imported, message)
      return { hash: hex(new Uint8Array(hash)), maskedName: name && maskedName(name.trim()) }
    },
  }
}

function importKey(key: Secret): Promise<CryptoKey> {
  const bytes = new TextEncoder().encode(`sluice:authors\n${key.reveal()}`)
  return crypto.subtle.importKey('raw', bytes, { name: 'HMAC', hash: 'SHA-256' }, false, ['sign'])
}

/** Always as many stars: the length of a name tells too much. A name of one character is all stars. */
export function maskedName(name: string): string {
  const [first = '', second] = name
  return second === undefined ? '**' : `${first}**`
}

function hex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}
