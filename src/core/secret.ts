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
 * Whether what was presented is the secret, in a time that tells nothing about where they differ, nor how long the secret
 * is: it grows with what was presented alone, and whoever presented it knows that.
 */
export function equalInConstantTime(presented: string, secret: string): boolean {
  let difference = presented.length ^ secret.length
  for (let i = 0; i < presented.length; i++) {
    // Past the end of the secret it is walked through again: NaN, which an empty one gives, counts as 0.
    difference |= presented.charCodeAt(i) ^ secret.charCodeAt(i % secret.length)
  }
  return difference === 0
}
