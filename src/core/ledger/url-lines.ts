/**
 * URLs as they are packed: in bytes, one per line. Each is copied when it is added, so that a list of many keeps nothing
 * of the texts they were cut out of, and is one piece of memory instead of thousands.
 */
export interface UrlLines {
  count: number
  bytes: Uint8Array<ArrayBuffer>
  /** How many of `bytes` are written. */
  length: number
}

/** Of a list that will be long. */
const FIRST_BYTES = 64 * 1024
const NEWLINE = 0x0a
const MOST_BYTES_PER_UNIT = 3

const utf8 = new TextEncoder()

export function noUrlLines(firstBytes = FIRST_BYTES): UrlLines {
  return { count: 0, bytes: new Uint8Array(firstBytes), length: 0 }
}

export function urlLinesOf(urls: readonly string[]): UrlLines {
  const lines = noUrlLines(1_024)
  for (const url of urls) addUrl(lines, url)
  return lines
}

export function addUrl(lines: UrlLines, url: string): void {
  if (url.includes('\n')) throw new TypeError('A URL holds no line break.')
  const line = lineOfUrl(url)
  makeRoom(lines, line.length * MOST_BYTES_PER_UNIT + 1)
  const { written } = utf8.encodeInto(line, lines.bytes.subarray(lines.length))
  lines.length += written
  lines.bytes[lines.length++] = NEWLINE
  lines.count++
}

function makeRoom(lines: UrlLines, bytes: number): void {
  if (lines.length + bytes <= lines.bytes.length) return
  const larger = new Uint8Array(Math.max(lines.length + bytes, 2 * lines.bytes.length))
  larger.set(lines.bytes.subarray(0, lines.length))
  lines.bytes = larger
}

/** The first half and the others, in the memory of the whole. */
export function halvesOf({ count, bytes, length }: UrlLines): readonly [UrlLines, UrlLines] {
  const half = Math.ceil(count / 2)
  let middle = 0
  for (let line = 0; line < half; line++) middle = bytes.indexOf(NEWLINE, middle) + 1
  return [
    { count: half, bytes: bytes.subarray(0, middle), length: middle },
    { count: count - half, bytes: bytes.subarray(middle, length), length: length - middle },
  ]
}

// Half a surrogate pair has no UTF-8 form. It comes in JSON, and the URL must be sent as it came.
const ESCAPED = '\0'

function lineOfUrl(url: string): string {
  const isSafe = url.isWellFormed() && !url.startsWith(ESCAPED)
  return isSafe ? url : ESCAPED + JSON.stringify(url)
}

export function urlOfLine(line: string): string {
  return line.startsWith(ESCAPED) ? String(JSON.parse(line.slice(1))) : line
}
