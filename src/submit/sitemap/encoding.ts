/** Turns the bytes of a document into UTF-8 without a byte order mark, whatever they were. */
export interface Decoding {
  push(chunk: Uint8Array): Uint8Array
  end(): Uint8Array
}

const NOTHING = new Uint8Array(0)
const LONGEST_DECLARATION = 1_024

/** Almost every sitemap is UTF-8 and passes through untouched; only its first bytes are held back to see that. */
export function openDecoding(): Decoding {
  let head: Uint8Array = NOTHING
  let decoder: Decoding | undefined
  const decide = () => {
    decoder = decodingOf(head)
    const first = decoder.push(head)
    head = NOTHING
    return first
  }
  return {
    push(chunk) {
      if (decoder) return decoder.push(chunk)
      head = joined(head, chunk)
      if (isDecided(head)) return decide()
      head = head.slice()
      return NOTHING
    },
    end() {
      const first = decoder ? NOTHING : decide()
      return joined(first, decoder?.end() ?? NOTHING)
    },
  }
}

/** What is not yet known to be something else than marks, blanks and a declaration. */
const UNDECIDED = /^(?:\xEF\xBB\xBF)*(?:\xEF\xBB?|\s*(?:<(?:\?(?:x(?:m(?:l.*)?)?)?)?)?)$/is

function isDecided(head: Uint8Array): boolean {
  if (head.length >= LONGEST_DECLARATION) return true
  if (head.length < 5) return false
  const text = latin1(head)
  return text.includes('?>') || !UNDECIDED.test(text)
}

function decodingOf(head: Uint8Array): Decoding {
  const label = encodingOf(head)
  if (label !== 'utf-8') return transcoding(label)
  let skipped = 0
  while (hasUtf8Mark(head.subarray(skipped))) skipped += 3
  let isFirst = true
  return {
    push(chunk) {
      const rest = isFirst ? chunk.subarray(skipped) : chunk
      isFirst = false
      return rest
    },
    end: () => NOTHING,
  }
}

function hasUtf8Mark([a, b, c]: Uint8Array): boolean {
  return a === 0xef && b === 0xbb && c === 0xbf
}

/** By its mark, by the zero bytes of a first `<`, or by what the declaration says. */
function encodingOf(head: Uint8Array): string {
  const [a, b] = head
  if (hasUtf8Mark(head)) return 'utf-8'
  if ((a === 0xff && b === 0xfe) || (a === 0x3c && b === 0)) return 'utf-16le'
  if ((a === 0xfe && b === 0xff) || (a === 0 && b === 0x3c)) return 'utf-16be'
  const declared = /^\s*<\?xml[^>]*?\bencoding\s*=\s*["']([\w.:-]+)["']/.exec(latin1(head))?.[1]
  // A document that declares UTF-16 in single bytes is not UTF-16.
  return declared === undefined || /^utf-?(?:8|16)/i.test(declared) ? 'utf-8' : declared
}

function transcoding(label: string): Decoding {
  const decoder = decoderFor(label)
  const encoder = new TextEncoder()
  return {
    push: (chunk) => encoder.encode(decoder.decode(chunk, { stream: true })),
    end: () => encoder.encode(decoder.decode()),
  }
}

/** A label that nobody knows is most often a slip in an UTF-8 document. */
function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes.subarray(0, LONGEST_DECLARATION))
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  if (first.length === 0) return second
  const both = new Uint8Array(first.length + second.length)
  both.set(first)
  both.set(second, first.length)
  return both
}
