/**
 * Bytes as text that a URL can carry, with its padding or without. Only what `write` gives is read: two spellings of the
 * same bytes would let a changed text pass.
 */
export function base64Url(padding: '=' | '') {
  const write = (bytes: Uint8Array): string =>
    btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''))
      .replaceAll('+', '-')
      .replaceAll('/', '_')
      .replaceAll('=', padding)
  const read = (text: string): Uint8Array<ArrayBuffer> | undefined => {
    try {
      const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
      const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0))
      return write(bytes) === text ? bytes : undefined
    } catch {
      return undefined
    }
  }
  return { write, read }
}
