/** A secret that is looked for. It is reported by its name; its value is never printed. */
export interface Sought {
  readonly name: string
  readonly value: string
}

export interface Found {
  readonly secret: string
  readonly form: FormName
}

/** The ways in which a text travels, each as all that it may look like. */
const FORMS = {
  'in clear': (text: string) => [text],
  base64: (text: string) => [...base64Of(text, 'base64'), ...base64Of(text, 'base64url')],
  hex: (text: string) => [hexOf(text), hexOf(text).toUpperCase()],
  // Letters and digits may stay as they are in an address: then it is found in clear.
  'URL-encoded': (text: string) => {
    const encoded = hexOf(text).replace(/../g, '%$&')
    return [encoded, encoded.toUpperCase()]
  },
} as const satisfies Record<string, (text: string) => readonly string[]>

export type FormName = keyof typeof FORMS

/** Half a secret is a leak too; less than this is found by chance. */
const LEAST_PART = 12

/** Looks for all of them at once. Each is named once for every form in which it is there. */
export function openSearch(sought: readonly Sought[]): (bytes: Uint8Array) => readonly Found[] {
  const needles = sought.flatMap(({ name: secret, value }) =>
    Object.entries(FORMS).map(([form, spell]) => ({
      found: { secret, form: form as FormName },
      spellings: [...new Set(partsOf(value).flatMap(spell))].map((text) => Buffer.from(text)),
    })),
  )
  return (bytes) => {
    const searched = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    return needles
      .filter(({ spellings }) => spellings.some((spelling) => searched.includes(spelling)))
      .map(({ found }) => found)
  }
}

function partsOf(value: string): readonly string[] {
  const middle = Math.floor(value.length / 2)
  return middle < LEAST_PART ? [value] : [value.slice(0, middle), value.slice(middle)]
}

function hexOf(text: string): string {
  return Buffer.from(text).toString('hex')
}

/** Inside of a longer text it begins at any of three places of a group; its edges then depend on its neighbours. */
function base64Of(text: string, encoding: BufferEncoding): readonly string[] {
  return [0, 2, 3].map((from, shift) => {
    const encoded = Buffer.from(`${'\0'.repeat(shift)}${text}`).toString(encoding)
    return encoded.replace(/=+$/, '').slice(from, -2)
  })
}
