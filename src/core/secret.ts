export const REDACTED = '***REDACTED***'

const HINT_LENGTH = 4

/** A value that prints as `***REDACTED***` however it is printed. Only `reveal` shows it. */
export class Secret {
  readonly #value: string

  constructor(value: string) {
    this.#value = value
  }

  /** Called only where a request is sent or a value is sealed. */
  reveal(): string {
    return this.#value
  }

  /** Enough to tell two keys apart in a log, and no more. */
  hint(): string {
    return this.#value.length > 2 * HINT_LENGTH ? `${this.#value.slice(0, HINT_LENGTH)}…` : '…'
  }

  toString() {
    return REDACTED
  }

  toJSON() {
    return REDACTED
  }

  [Symbol.for('nodejs.util.inspect.custom')]() {
    return REDACTED
  }
}

/**
 * Whether two strings are equal, in a time that tells nothing about where they differ.
 * Both are hashed first, so that neither content nor length shows.
 */
export async function equalInConstantTime(left: string, right: string): Promise<boolean> {
  const [a, b] = await Promise.all([digestOf(left), digestOf(right)])
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] ?? 0) ^ (b[i] ?? 0)
  return difference === 0
}

async function digestOf(text: string): Promise<Uint8Array> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text)))
}
