/** Long, of a key's characters, and not a word: there is a digit in it. */
const LIKE_A_KEY = /(?<![\w.-])(?=[A-Za-z-]*\d)[A-Za-z0-9-]{8,128}(?![\w.-]*[\w])/g
const SHOWN = 4

/** What was typed, fit to be repeated: a key may have been typed where something else belongs. */
export function withoutKeys(typed: string): string {
  return typed.replaceAll(LIKE_A_KEY, (key) => `${key.slice(0, SHOWN)}…`)
}
