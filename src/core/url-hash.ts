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

// Of a byte: it means itself in a path or a query; it is a slash; it is a dot.
const PLAIN = 1
const SLASH = 2
const DOT = 4
const MEANING = new Uint8Array(256)
for (const byte of utf8.encode('-~!$&()*+,;=:@?_')) MEANING[byte] = PLAIN
for (const byte of utf8.encode('0123456789abcdefghijklmnopqrstuvwxyz')) MEANING[byte] = PLAIN
for (const byte of utf8.encode('ABCDEFGHIJKLMNOPQRSTUVWXYZ')) MEANING[byte] = PLAIN
for (const byte of utf8.encode('/')) MEANING[byte] = PLAIN | SLASH
for (const byte of utf8.encode('.')) MEANING[byte] = PLAIN | DOT

/**
 * The same for a URL that begins with one of these, has only characters that mean themselves, and no dot after a slash:
 * if the origins are canonical then so is the URL, as it stands, and one walk over its bytes has told that too.
 * False for any other, and what was written is then worth nothing.
 */
export function hashPlainUrl(
  url: string,
  { origins, out, at = 0 }: { origins: readonly Uint8Array[]; out: Uint32Array; at?: number },
): boolean {
  if (url.length * MOST_BYTES_PER_UNIT > scratch.length) return false
  const length = utf8.encodeInto(url, scratch).written
  if (!beginsWithAny(origins, length)) return false
  const wholeWords = length >>> 2
  let high = SEED_HIGH
  let low = SEED_LOW
  let all = PLAIN
  let last = 0
  let afterSlash = 0
  for (let i = 0; i < wholeWords; i++) {
    const word = words[i] as number
    const first = meaningOf(word)
    const second = meaningOf(word >>> 8)
    const third = meaningOf(word >>> 16)
    const fourth = meaningOf(word >>> 24)
    all &= first & second & third & fourth
    // A dot moved by one bit is a slash.
    afterSlash |= (last & (first >> 1)) | (first & (second >> 1)) | (second & (third >> 1))
    afterSlash |= third & (fourth >> 1)
    last = fourth
    high = (Math.imul(rotate(high ^ mixHigh(word), 19) + low, 5) + 0x561ccd1b) | 0
    low = (Math.imul(rotate(low ^ mixLow(word), 17) + high, 5) + 0x0bcaa747) | 0
  }
  let tail = 0
  for (let i = wholeWords * 4, shift = 0; i < length; i++, shift += 8) {
    const byte = byteAt(scratch, i)
    const meaning = meaningOf(byte)
    all &= meaning
    afterSlash |= last & (meaning >> 1)
    last = meaning
    tail |= byte << shift
  }
  finish(high ^ mixHigh(tail) ^ length, low ^ mixLow(tail) ^ length, out, at)
  return all !== 0 && (afterSlash & SLASH) === 0
}

function beginsWithAny(beginnings: readonly Uint8Array[], length: number): boolean {
  for (const beginning of beginnings) {
    let same = 0
    while (same < beginning.length && beginning[same] === scratch[same]) same++
    if (same === beginning.length && same <= length) return true
  }
  return false
}

function meaningOf(byte: number): number {
  return MEANING[byte & 0xff] as number
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
