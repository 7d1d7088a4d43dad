import { hours } from '../core/duration.ts'
import { equalInConstantTime, type Secret } from '../core/secret.ts'
import type { Tokens } from '../http/access.ts'

export type Role = 'admin' | 'read'

/** Who looks at the pages, for as long as the browser keeps its cookie. */
export interface Session {
  readonly role: Role
  readonly expiresAt: number
  /** Stands in every form: whoever sends a form without it did not get it from our page. */
  readonly formToken: string
}

/** A working day: whoever comes back tomorrow logs in again. */
export const SESSION_MS = hours(12)

/** Sessions are kept nowhere: what a cookie says is believed because it is signed. */
export interface Sessions {
  /** The cookie's value. */
  open(role: Role, now: number): Promise<string>
  read(cookie: string | undefined, now: number): Promise<Session | undefined>
  isFormToken(session: Session, given: string): boolean
  /** For an address that shows something to whoever has it. */
  sign(what: string): Promise<string>
  isSigned(what: string, signature: string): Promise<boolean>
}

export interface SessionsOptions {
  readonly tokens: Tokens
  /** Names a session; nothing is secret about it. */
  readonly newId: () => string
}

const COOKIE = /^(admin|read)\.(\d{1,16})\.([\w-]{1,64})$/

/**
 * A role's key is made from the admin token and its own: changing either token ends the sessions that it opened, and
 * no key tells anything of a token.
 */
export function openSessions({ tokens, newId }: SessionsOptions): Sessions {
  const keys = new Map<string, Promise<CryptoKey>>()
  const keyOf = (purpose: string, secrets: readonly (Secret | undefined)[]) => {
    const known = keys.get(purpose) ?? keyFrom(purpose, secrets)
    keys.set(purpose, known)
    return known
  }
  const sessionKey = (role: Role) => keyOf(`session ${role}`, [tokens.admin, tokens[role]])
  const linkKey = () => keyOf('link', [tokens.admin])
  const formTokenOf = async (role: Role, content: string) =>
    signature(await sessionKey(role), `form ${content}`)

  return {
    async open(role, now) {
      const content = `${role}.${now + SESSION_MS}.${newId()}`
      return `${content}.${await signature(await sessionKey(role), content)}`
    },
    async read(cookie, now) {
      const end = cookie?.lastIndexOf('.') ?? -1
      const content = cookie?.slice(0, end) ?? ''
      const [, role, expires] = COOKIE.exec(content) ?? []
      if (role !== 'admin' && role !== 'read') return undefined
      if (role === 'read' && !tokens.read) return undefined
      const right = await signature(await sessionKey(role), content)
      if (!equalInConstantTime(cookie?.slice(end + 1) ?? '', right)) return undefined
      const expiresAt = Number(expires)
      if (expiresAt <= now) return undefined
      return { role, expiresAt, formToken: await formTokenOf(role, content) }
    },
    isFormToken: ({ formToken }, given) => equalInConstantTime(given, formToken),
    sign: async (what) => (await signature(await linkKey(), what)).slice(0, 24),
    async isSigned(what, given) {
      return equalInConstantTime(given, (await signature(await linkKey(), what)).slice(0, 24))
    },
  }
}

async function keyFrom(
  purpose: string,
  secrets: readonly (Secret | undefined)[],
): Promise<CryptoKey> {
  const material = JSON.stringify(['sluice', purpose, ...secrets.map((secret) => secret?.reveal())])
  const digest = await crypto.subtle.digest('SHA-256', utf8(material))
  const algorithm = { name: 'HMAC', hash: 'SHA-256' }
  return crypto.subtle.importKey('raw', digest, algorithm, false, ['sign'])
}

async function signature(key: CryptoKey, text: string): Promise<string> {
  const bytes = new Uint8Array(await crypto.subtle.sign('HMAC', key, utf8(text)))
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
}

const utf8 = (text: string) => new TextEncoder().encode(text)
