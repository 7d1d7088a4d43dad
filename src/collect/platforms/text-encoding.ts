const HEAD_BYTES = 4_096
const IN_HEADER = /charset\s*=\s*["']?([\w.:-]{1,40})/i
const IN_META = /<meta\b[^>]{0,400}?\bcharset\s{0,9}=\s{0,9}["']?\s{0,9}([\w.:-]{1,40})/i
const IN_DECLARATION = /^\s{0,99}<\?xml\b[^>]{0,400}?\bencoding\s{0,9}=\s{0,9}["']([\w.:-]{1,40})/

/** The text of a page or feed, in whatever it is written: by its mark, its header, or what it says of itself. */
export function decodeText(bytes: Uint8Array, contentType: string | null): string {
  const marked = markedEncoding(bytes)
  if (marked) return new TextDecoder(marked).decode(bytes)
  const head = latin1(bytes.subarray(0, HEAD_BYTES))
  const labels = [
    IN_HEADER.exec(contentType ?? '')?.[1],
    inSingleBytes(IN_DECLARATION.exec(head)?.[1]),
    inSingleBytes(IN_META.exec(head)?.[1]),
  ]
  for (const label of labels) {
    const decoder = label === undefined ? undefined : decoderFor(label)
    if (decoder) return decoder.decode(bytes)
  }
  return decodeUnlabelled(bytes)
}

function markedEncoding([a, b, c]: Uint8Array): string | undefined {
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  return undefined
}

/** What can be read in single bytes is not UTF-16, whatever it says. */
function inSingleBytes(label: string | undefined): string | undefined {
  return label !== undefined && /^utf-?16/i.test(label) ? 'utf-8' : label
}

/** Nobody knows every label: one that is not known is as good as none. */
function decoderFor(label: string): TextDecoder | undefined {
  try {
    return new TextDecoder(label)
  } catch {
    return undefined
  }
}

/** Pages that do not say what they are written in are UTF-8, or older Chinese ones. */
function decodeUnlabelled(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return new TextDecoder('gb18030').decode(bytes)
  }
}

function latin1(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes)
}
