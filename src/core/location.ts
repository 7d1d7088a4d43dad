/** Where a redirect says that it leads: whole, or relative to where it came from. */
export function locationOf(headers: Headers): string | undefined {
  const location = headers.get('location')
  return location === null ? undefined : asWritten(location)
}

const strictUtf8 = new TextDecoder('utf-8', { fatal: true })

/** A header is read byte by byte; servers that encode no address write it in UTF-8, as browsers expect. */
function asWritten(header: string): string {
  if (!/[\x80-\xff]/.test(header) || /[^\0-\xff]/.test(header)) return header
  try {
    return strictUtf8.decode(Uint8Array.from(header, (character) => character.charCodeAt(0)))
  } catch {
    return header
  }
}
