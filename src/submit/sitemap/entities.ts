const PREDEFINED: ReadonlyMap<string, string> = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])

const REFERENCE = /&(?:#(\d{1,8})|#[xX]([0-9a-fA-F]{1,8})|([A-Za-z][\w.-]*));/g

/**
 * Text with its references resolved. An ampersand that begins none is one that somebody forgot to escape, and
 * stays. A name that XML does not define itself makes the text undefined: a doctype is never expanded, and a guess
 * would be an address that nobody wrote.
 */
export function resolveReferences(text: string): string | undefined {
  let isDefined = true
  const resolved = text.replace(
    REFERENCE,
    (reference: string, decimal?: string, hex?: string, name?: string) => {
      const found = name === undefined ? character(decimal, hex) : PREDEFINED.get(name)
      if (found === undefined) isDefined = false
      return found ?? reference
    },
  )
  return isDefined ? resolved : undefined
}

function character(decimal: string | undefined, hex: string | undefined): string | undefined {
  const code = decimal === undefined ? Number.parseInt(hex ?? '', 16) : Number(decimal)
  const isCharacter = code > 0 && code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return isCharacter ? String.fromCodePoint(code) : undefined
}
