/**
 * A 64-bit hash of a URL: synchronous, the same on every runtime, the same for a string and for its UTF-8 bytes.
 * Two 32-bit lanes in the manner of MurmurHash3, each fed by every word. It tells URLs apart (no collision in
 * 20 million); it is not keyed and proves nothing about where a URL comes from.
 *
 * Changing it forgets every ledger: a golden test holds its values.
 */
const C1 = 0x239b961b
const C2 = 0xab0e9789 | 0
const C3 = 0x38b34ae5
const C4 = 0xa1e38b93 | 0
const SEED_HIGH = 0x5173ce01
const SEED_LOW = 0x2c1b3c6d

const utf8 = new TextEncoder()

// One copy into bytes, then whole words: asking a text for its characters one by one takes up to six times as long,
// since a part of a longer text, or one put together of parts, is searched for each.
const scratch = new Uint8Array(8_192)
const words = new Uint32Array(scratch.buffer)
const scratchView = new DataView(scratch.buffer)
/** A whole word may be looked at where one byte is meant, and a longer origin than there is text. */
const ROOM_BEHIND = 512
const MOST_BYTES_PER_UNIT = 3

/** Writes the hash of `url` to `out[at]` (high half) and `out[at + 1]` (low half): no allocation per URL. */
export function hashUrl(url: string, out: Uint32Array, at = 0): void {
  if (url.length * MOST_BYTES_PER_UNIT > scratch.length) {
    return hashUrlBytes(utf8.encode(url), { out, at })
  }
  const length = utf8.encodeInto(url, scratch).written
  const wholeWords = length >>> 2
  let high = SEED_HIGH
  let low = SEED_LOW
  for (let i = 0; i < wholeWords; i++) {
    const word = words[i] as number
    high = (Math.imul(rotate(high ^ mixHigh(word), 19) + low, 5) + 0x561ccd1b) | 0
    low = (Math.imul(rotate(low ^ mixLow(word), 17) + high, 5) + 0x0bcaa747) | 0
  }
  let tail = 0
  for (let i = wholeWords * 4, shift = 0; i < length; i++, shift += 8) {
    tail |= byteAt(scratch, i) << shift
  }
  finish(high ^ mixHigh(tail) ^ length, low ^ mixLow(tail) ^ length, out, at)
}

// Of two bytes that stand side by side: both mean themselves in a path or a query; the first is a dot; the second is a
// slash; they are a slash and a dot; one of them is an ampersand.
const PLAIN = 1
const DOT_FIRST = 2
const SLASH_LAST = 4
const SLASH_DOT = 8
const AMPERSAND = 16
const PAIRS = pairs()

function pairs(): Uint8Array {
  const plain = '-~!$&()*+,;=:@?_0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ/.'
  const meanings = new Uint8Array(2 ** 16)
  for (const first of plain) {
    for (const second of plain) {
      meanings[pairOf(first, second)] =
        PLAIN |
        (first === '.' ? DOT_FIRST : 0) |
        (second === '/' ? SLASH_LAST : 0) |
        (first + second === '/.' ? SLASH_DOT : 0) |
        (first === '&' || second === '&' ? AMPERSAND : 0)
    }
  }
  return meanings
}

function pairOf(first: string, second: string): number {
  return first.charCodeAt(0) | (second.charCodeAt(0) << 8)
}

/** Stands where there is no other byte: it means itself, and is neither dot nor slash. */
const FILLER = 0x61

/** What URLs begin with, and how far their hash is known by that. */
export interface PlainOrigin {
  /** Four bytes each, and the one to three that are left. */
  readonly words: Int32Array
  readonly rest: Uint8Array
  /** What `hashPlainUrl` has after the words. */
  readonly high: number
  readonly low: number
  readonly last: number
}

/** `origin` must be canonical, and plain. */
export function plainOrigin(origin: string): PlainOrigin {
  const bytes = utf8.encode(origin)
  const view = new DataView(bytes.buffer)
  const words = Int32Array.from({ length: bytes.length >>> 2 }, (_, i) =>
    view.getInt32(4 * i, true),
  )
  let high = SEED_HIGH
  let low = SEED_LOW
  for (const word of words) {
    high = (Math.imul(rotate(high ^ mixHigh(word), 19) + low, 5) + 0x561ccd1b) | 0
    low = (Math.imul(rotate(low ^ mixLow(word), 17) + high, 5) + 0x0bcaa747) | 0
  }
  const last = meaningOf((words.at(-1) ?? 0) >>> 16)
  return { words, rest: bytes.subarray(4 * words.length), high, low, last }
}

/** What plain URLs begin with, and where their hashes go. */
export interface PlainHashes {
  readonly origins: readonly PlainOrigin[]
  readonly out: Uint32Array
  /** What makes a URL not plain, of all that two bytes can be. */
  readonly unwanted: number
}

/** For URLs that stand in markup, where an ampersand does not mean itself. */
export function hashesInMarkup(origins: readonly PlainOrigin[], out: Uint32Array): PlainHashes {
  return { origins, out, unwanted: SLASH_DOT | AMPERSAND }
}

export function hashesInText(origins: readonly PlainOrigin[], out: Uint32Array): PlainHashes {
  return { origins, out, unwanted: SLASH_DOT }
}

export const NOT_PLAIN = -1
const LESS = 0x3c

/**
 * The same for a URL from `start` to the next `<` that begins with one of the origins, has only characters that mean
 * themselves, and no dot after a slash: if the origins are canonical then so is the URL, as it stands, and one walk over
 * its bytes has told that too. Returns where it ends; NOT_PLAIN for any other, and what was written is worth nothing.
 * Some byte that is not plain must come.
 */
export function hashPlainUrl(
  view: DataView,
  start: number,
  { origins, out, unwanted }: PlainHashes,
  at: number,
): number {
  const origin = originAt(view, start, origins)
  if (!origin) return NOT_PLAIN
  let { high, low, last } = origin
  let hidden = 0
  let i = start + 4 * origin.words.length
  for (;;) {
    const word = view.getInt32(i, true)
    const first = meaningOf(word)
    const second = meaningOf(word >>> 16)
    if ((first & second & PLAIN) === 0) break
    // What ends with a slash, moved by one bit, is what begins with a dot.
    hidden |= ((last >> 1) & first & DOT_FIRST) | ((first >> 1) & second & DOT_FIRST)
    hidden |= (first | second) & unwanted
    last = second
    high = (Math.imul(rotate(high ^ mixHigh(word), 19) + low, 5) + 0x561ccd1b) | 0
    low = (Math.imul(rotate(low ^ mixLow(word), 17) + high, 5) + 0x0bcaa747) | 0
    i += 4
  }
  let tail = 0
  for (let shift = 0; ; shift += 8) {
    const byte = view.getUint8(i)
    const asFirst = meaningOf(byte | (FILLER << 8))
    if (asFirst === 0) break
    hidden |= ((last >> 1) & asFirst & DOT_FIRST) | (asFirst & unwanted)
    last = meaningOf(FILLER | (byte << 8))
    tail |= byte << shift
    i++
  }
  const length = i - start
  finish(high ^ mixHigh(tail) ^ length, low ^ mixLow(tail) ^ length, out, at)
  return hidden === 0 && view.getUint8(i) === LESS ? i : NOT_PLAIN
}

/** The same for a text. */
export function hashPlainText(url: string, hashes: PlainHashes, at = 0): boolean {
  if (url.length * MOST_BYTES_PER_UNIT > scratch.length - ROOM_BEHIND) return false
  const { written } = utf8.encodeInto(url, scratch)
  scratch[written] = LESS
  return hashPlainUrl(scratchView, 0, hashes, at) === written
}

function originAt(
  view: DataView,
  start: number,
  origins: readonly PlainOrigin[],
): PlainOrigin | undefined {
  for (let i = 0; i < origins.length; i++) {
    const origin = origins[i] as PlainOrigin
    if (isAt(view, start, origin)) return origin
  }
  return undefined
}

function isAt(view: DataView, start: number, { words, rest }: PlainOrigin): boolean {
  let at = start
  for (let i = 0; i < words.length; i++, at += 4) {
    if (view.getInt32(at, true) !== words[i]) return false
  }
  for (let i = 0; i < rest.length; i++, at++) {
    if (view.getUint8(at) !== rest[i]) return false
  }
  return true
}

function meaningOf(pair: number): number {
  return PAIRS[pair & 0xffff] as number
}

export interface HashedBytes {
  readonly out: Uint32Array
  readonly at?: number
  readonly start?: number
  readonly end?: number
}

/** The same hash, over bytes `start` to `end` where they lie. */
export function hashUrlBytes(
  bytes: Uint8Array,
  { out, at = 0, start = 0, end = bytes.length }: HashedBytes,
): void {
  let high = SEED_HIGH
  let low = SEED_LOW
  let i = start
  for (; i + 4 <= end; i += 4) {
    const word =
      byteAt(bytes, i) |
      (byteAt(bytes, i + 1) << 8) |
      (byteAt(bytes, i + 2) << 16) |
      (byteAt(bytes, i + 3) << 24)
    high = (Math.imul(rotate(high ^ mixHigh(word), 19) + low, 5) + 0x561ccd1b) | 0
    low = (Math.imul(rotate(low ^ mixLow(word), 17) + high, 5) + 0x0bcaa747) | 0
  }
  let tail = 0
  for (let shift = 0; i < end; i++, shift += 8) tail |= byteAt(bytes, i) << shift
  const length = end - start
  finish(high ^ mixHigh(tail) ^ length, low ^ mixLow(tail) ^ length, out, at)
}

/** 16 hexadecimal digits, for keys and for people. */
export function urlHashHex(url: string): string {
  const halves = new Uint32Array(2)
  hashUrl(url, halves)
  return [...halves].map((half) => half.toString(16).padStart(8, '0')).join('')
}

function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number
}

function rotate(value: number, bits: number): number {
  return (value << bits) | (value >>> (32 - bits))
}

function mixHigh(word: number): number {
  return Math.imul(rotate(Math.imul(word, C1), 15), C2)
}

function mixLow(word: number): number {
  return Math.imul(rotate(Math.imul(word, C3), 16), C4)
}

function finish(high: number, low: number, out: Uint32Array, at: number): void {
  let h = high | 0
  let l = low | 0
  h = (h + l) | 0
  l = (l + h) | 0
  h = avalanche(h)
  l = avalanche(l)
  h = (h + l) | 0
  out[at] = h
  out[at + 1] = l + h
}

function avalanche(value: number): number {
  let v = value
  v = Math.imul(v ^ (v >>> 16), 0x85ebca6b)
  v = Math.imul(v ^ (v >>> 13), 0xc2b2ae35)
  return v ^ (v >>> 16)
}
