import { countNewlines } from './byte-search.ts'

/**
 * The part of a document that is in view: bytes, and the same as text with one character per byte.
 *
 * Text that is plain ASCII is searched several times faster than any other, and most sitemaps are. So whatever is not
 * ASCII is shown as `MASK`, and looked up in the bytes by the few who want to read it: positions agree.
 */
export interface TextWindow {
  /** Empty until `showText`: most of a document can be read without it. */
  text: string
  isShown: boolean
  /** Everything before it has been dealt with. */
  at: number
  readonly bytes: Uint8Array
  readonly view: DataView
  /** How many of `bytes` have arrived. */
  filled: number
  isMasked: boolean
  /** Positions of the first ampersand and the first mask at or after the last one asked about. */
  nextAmpersand: number
  nextMask: number
  /** Lines that end before `countedTo`, of what is in view and of what was. */
  lines: number
  countedTo: number
  /** Bytes of the line in which the view begins that are no longer in it. */
  columnBefore: number
}

/** Any character without a meaning in XML. Met in the document itself, it only costs a look at the bytes. */
const MASK = '\x7f'

/**
 * Text is scanned in pieces of this size. Larger ones leave V8's young generation and cost several times as much;
 * much smaller ones spend their time on what is cut in two.
 */
const PIECE_BYTES = 64 * 1024

/** A tag or a text longer than this is not kept in view: it is passed over, and what it belonged to is dropped. */
export const LONGEST_TOKEN = 32 * 1024

/** Behind the bytes in view there is room to compare with a word, and a byte that ends every comparison. */
const LONGEST_WORD = 1_024
const STOP = 0xff

const mask = new Uint8Array(PIECE_BYTES + LONGEST_TOKEN)
const maskWords = new Uint32Array(mask.buffer)
const ascii = new TextDecoder('utf-8', { ignoreBOM: true })
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true })

export function createWindow(): TextWindow {
  const bytes = new Uint8Array(PIECE_BYTES + LONGEST_TOKEN + LONGEST_WORD)
  return {
    text: '',
    isShown: false,
    at: 0,
    bytes,
    view: new DataView(bytes.buffer),
    filled: 0,
    isMasked: false,
    nextAmpersand: -1,
    nextMask: -1,
    lines: 0,
    countedTo: 0,
    columnBefore: 0,
  }
}

/** Takes in bytes of `chunk` from `start` on, a piece at most; returns how many. */
export function fill(window: TextWindow, chunk: Uint8Array, start: number): number {
  const room = window.bytes.length - LONGEST_WORD - window.filled
  const count = Math.min(chunk.length - start, PIECE_BYTES, room)
  window.bytes.set(chunk.subarray(start, start + count), window.filled)
  window.filled += count
  return count
}

/** Brings everything that arrived into view. */
export function look(window: TextWindow): void {
  window.bytes[window.filled] = STOP
  window.nextAmpersand = -1
  window.nextMask = -1
}

/** Lets go of what has been dealt with. The rest is copied, so that no earlier chunk stays in memory. */
export function moveOn(window: TextWindow): void {
  const { at } = window
  window.columnBefore = columnAt(window, at) - 1
  countLinesTo(window, at)
  window.countedTo = 0
  window.bytes.copyWithin(0, at, window.filled)
  window.filled -= at
  window.at = 0
  // At once: what lives on while more comes in is taken for old, and collected late.
  window.text = ''
  window.isShown = false
}

/** For those who search the view, and do not only compare. */
export function showText(window: TextWindow): void {
  if (window.isShown) return
  window.text = asciiText(window)
  window.isShown = true
}

function asciiText(window: TextWindow): string {
  const { bytes, filled } = window
  if (!window.isMasked) {
    const text = ascii.decode(bytes.subarray(0, filled))
    if (text.length === filled && !text.includes('\uFFFD')) return text
    window.isMasked = true
  }
  mask.set(bytes.subarray(0, filled))
  maskBeyondAscii(filled)
  return ascii.decode(mask.subarray(0, filled))
}

/** Four words at a time: most hold nothing to mask, and one look tells. */
function maskBeyondAscii(length: number): void {
  const end = Math.ceil(length / 16) * 4
  for (let i = 0; i < end; i += 4) {
    const any = wordAt(i) | wordAt(i + 1) | wordAt(i + 2) | wordAt(i + 3)
    if ((any & HIGH_BITS) !== 0) maskWordsFrom(i)
  }
}

function maskWordsFrom(start: number): void {
  for (let i = start; i < start + 4; i++) {
    const high = wordAt(i) & HIGH_BITS
    maskWords[i] = (wordAt(i) | (high - (high >>> 7))) & ~HIGH_BITS
  }
}

const HIGH_BITS = 0x80808080

function wordAt(index: number): number {
  return maskWords[index] as number
}

/** The characters between two positions, as the document has them. */
export function textBetween(window: TextWindow, from: number, to: number): string {
  if (!hasMask(window, from, to)) return window.text.slice(from, to)
  return utf8.decode(window.bytes.subarray(from, to))
}

export function hasMask(window: TextWindow, from: number, to: number): boolean {
  if (!window.isMasked) return false
  if (window.nextMask < from) window.nextMask = positionOf(window.text, MASK, from)
  return window.nextMask < to
}

export function hasAmpersand(window: TextWindow, from: number, to: number): boolean {
  if (window.nextAmpersand < from) window.nextAmpersand = positionOf(window.text, '&', from)
  return window.nextAmpersand < to
}

function positionOf(text: string, character: string, from: number): number {
  const found = text.indexOf(character, from)
  return found < 0 ? text.length : found
}

/** Counted from 1; the column in bytes. */
export function placeAt(window: TextWindow, at: number): { line: number; column: number } {
  countLinesTo(window, at)
  return { line: window.lines + 1, column: columnAt(window, at) }
}

function columnAt({ bytes, columnBefore }: TextWindow, at: number): number {
  const newline = at === 0 ? -1 : bytes.lastIndexOf(NEWLINE, at - 1)
  return newline < 0 ? columnBefore + at + 1 : at - newline
}

function countLinesTo(window: TextWindow, end: number): void {
  window.lines += countNewlines(window.view, window.countedTo, end)
  window.countedTo = end
}

/** Spares the counting where somebody knows already. */
export function skipLines(window: TextWindow, from: number, to: number, lines: number): void {
  if (window.countedTo !== from) countLinesTo(window, from)
  window.lines += lines
  window.countedTo = to
}

export const NEWLINE = 0x0a
export const SLASH = 0x2f
export const BANG = 0x21
export const LESS = 0x3c
export const GREATER = 0x3e

/** All of ASCII up to the space counts as one. */
export function isBlank(code: number): boolean {
  return code <= 0x20
}

/** Letters, `_`, `:` and, masked, everything beyond ASCII. */
export function isNameStart(code: number): boolean {
  return (
    (code >= 0x61 && code <= 0x7a) ||
    (code >= 0x41 && code <= 0x5a) ||
    code === 0x5f ||
    code === 0x3a ||
    code === 0x7f
  )
}

/** Where the name of an element ends. */
export function nameEnd(text: string, from: number): number {
  let at = from
  for (; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (isBlank(code) || code === SLASH || code === GREATER) break
  }
  return at
}
