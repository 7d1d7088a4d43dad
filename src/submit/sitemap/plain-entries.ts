import { NOT_PLAIN } from '../../core/url-hash.ts'
import { addEntry, addPlainEntry, plainEnd } from './entries.ts'
import { resolveReferences } from './entities.ts'
import { trimmed } from './fields.ts'
import { lastmodSeconds, NO_DATE } from './lastmod.ts'
import type { PlainTags } from './plain-tags.ts'
import type { ScanState } from './scan-state.ts'
import { isAt, knownAt, learn, type Stretch } from './stretch.ts'
import {
  BANG,
  hasAmpersand,
  hasMask,
  isBlank,
  isNameStart,
  LESS,
  LONGEST_TOKEN,
  SLASH,
  showText,
  skipLines,
  type TextWindow,
} from './window.ts'

/**
 * The hot path: whole entries that look as nearly all do, a `loc` first, perhaps a `lastmod` behind it, then anything.
 * An entry that looks otherwise, is cut off or broken is left alone: `markup.ts` reads it, by the same rules.
 * The functions are small so that V8 compiles them early in the first file.
 *
 * False when the entry behind the last one is cut off, and more is to come: then it is best left until then.
 */
export function scanPlainEntries(state: ScanState, tags: PlainTags): boolean {
  const { window } = state
  for (;;) {
    const end = nextEntry(state, tags, window.at)
    if (end === CUT_OFF) return false
    if (end === NOT_PLAIN) return true
    window.at = end
  }
}

const CUT_OFF = -2

function nextEntry(state: ScanState, tags: PlainTags, from: number): number {
  const { window, entries } = state
  if (entries.wantsHashes) {
    const end = hashedEntry(state, tags, from)
    if (end !== NOT_PLAIN) return end
    if (!state.isLast && isCutOff(window, tags, from)) return CUT_OFF
  }
  showText(window)
  return plainEntry(state, tags, from)
}

/** Longer ones are read by their text, cut off or not. */
const LONG_ENTRY = 2_048

function isCutOff(window: TextWindow, tags: PlainTags, from: number): boolean {
  if (window.filled - from > LONG_ENTRY || hasClose(window, tags, from)) return false
  return knownAt(window.view, from, tags.layout.openings) !== undefined
}

function hasClose({ view, filled }: TextWindow, { close }: PlainTags, from: number): boolean {
  const last = filled - close.length
  let at = from
  while (at <= last && !isAt(view, at, close)) at++
  return at <= last
}

/** An entry laid out as one before, whose address is plain: whoever takes its hash finds its end too, without a text. */
function hashedEntry({ window, entries }: ScanState, tags: PlainTags, from: number): number {
  const { bytes, view } = window
  const { openings, middles, datedEndings, undatedEndings } = tags.layout
  const opening = knownAt(view, from, openings)
  if (!opening) return NOT_PLAIN
  const locFrom = from + opening.length
  const locTo = plainEnd(entries, view, locFrom)
  if (locTo === NOT_PLAIN) return NOT_PLAIN

  const middle = knownAt(view, locTo, middles)
  const dateFrom = middle ? locTo + middle.length : locTo
  const restFrom = middle ? dateEnd(bytes, dateFrom) : locTo
  const lastmod = middle ? lastmodSeconds(bytes, dateFrom, restFrom) : NO_DATE
  if (middle && lastmod === NO_DATE) return NOT_PLAIN

  const ending = knownAt(view, restFrom, middle ? datedEndings : undatedEndings)
  const end = ending ? restFrom + ending.length : NOT_PLAIN
  // A text at the end of the view is followed by what is left of an earlier one.
  if (!ending || end > window.filled) return NOT_PLAIN
  addPlainEntry(entries, locFrom, locTo, lastmod)
  skipLines(window, from, end, opening.lines + (middle?.lines ?? 0) + ending.lines)
  return end
}

/** No date is as long; the byte that ends the view is none of its characters. */
const LONGEST_DATE = 64

/** Where the markup behind a date begins. */
function dateEnd(bytes: Uint8Array, from: number): number {
  const last = from + LONGEST_DATE
  let at = from
  while (bytes[at] !== LESS && at < last) at++
  return at
}

/** What is searched for is searched in the text, what is compared is compared in the bytes: each is fastest there. */
function plainEntry(state: ScanState, tags: PlainTags, from: number): number {
  const { window } = state
  const { text, bytes, view } = window
  const { openings, middles, datedEndings, undatedEndings } = tags.layout

  const opening = knownAt(view, from, openings)
  const locFrom = opening ? from + opening.length : openingEnd(window, tags, from)
  const locTo = locFrom === NOT_PLAIN ? NOT_PLAIN : text.indexOf('<', locFrom)
  if (locTo < 0) return NOT_PLAIN

  const middle = knownAt(view, locTo, middles)
  const dateFrom = middle ? locTo + middle.length : middleEnd(window, tags, locTo)
  const isDated = dateFrom !== NOT_PLAIN
  const restFrom = isDated ? text.indexOf('<', dateFrom) : locTo
  const lastmod = isDated ? lastmodSeconds(bytes, dateFrom, restFrom) : NO_DATE
  if (isDated && lastmod === NO_DATE) return NOT_PLAIN

  const ending = knownAt(view, restFrom, isDated ? datedEndings : undatedEndings)
  const end = ending ? restFrom + ending.length : endingEnd(window, tags, restFrom, isDated)
  // A text at the end of the view is followed by what is left of an earlier one.
  const isWhole = end !== NOT_PLAIN && end <= window.filled
  const loc = isWhole ? plainText(window, locFrom, locTo) : ''
  if (loc === '') return NOT_PLAIN
  addEntry(state.entries, loc, lastmod)
  if (opening && ending && (middle || !isDated) && isOneLine(window, locFrom, locTo)) {
    skipLines(window, from, end, opening.lines + (middle?.lines ?? 0) + ending.lines)
  }
  return end
}

/** The next line end is most often the one right behind. */
function isOneLine({ text }: TextWindow, from: number, to: number): boolean {
  const newline = text.indexOf('\n', from)
  return newline < 0 || newline >= to
}

/** Past `<url>` and `<loc>`. */
function openingEnd({ bytes, view }: TextWindow, tags: PlainTags, from: number): number {
  const open = afterBlanks(bytes, from)
  if (!isAt(view, open, tags.open)) return NOT_PLAIN
  const locOpen = afterBlanks(bytes, open + tags.open.length)
  if (!isAt(view, locOpen, tags.locOpen)) return NOT_PLAIN
  const end = locOpen + tags.locOpen.length
  learn(tags.layout.openings, bytes, from, end)
  return end
}

/** Past `</loc>` and `<lastmod>`. */
function middleEnd({ bytes, view }: TextWindow, tags: PlainTags, from: number): number {
  if (!isAt(view, from, tags.locClose)) return NOT_PLAIN
  const dateOpen = afterBlanks(bytes, from + tags.locClose.length)
  if (!isAt(view, dateOpen, tags.dateOpen)) return NOT_PLAIN
  const end = dateOpen + tags.dateOpen.length
  learn(tags.layout.middles, bytes, from, end)
  return end
}

/** Past `</lastmod>` or `</loc>`, and everything up to `</url>`. */
function endingEnd(window: TextWindow, tags: PlainTags, from: number, isDated: boolean): number {
  const first = isDated ? tags.dateClose : tags.locClose
  if (!isAt(window.view, from, first)) return NOT_PLAIN
  const sought = isDated ? tags.nothing : tags.dateStart
  const end = entryEnd(window, from + first.length, tags.close, sought)
  if (end === NOT_PLAIN) return NOT_PLAIN
  const { datedEndings, undatedEndings } = tags.layout
  learn(isDated ? datedEndings : undatedEndings, window.bytes, from, end)
  return end
}

function afterBlanks(bytes: Uint8Array, from: number): number {
  let at = from
  while (isBlank(bytes[at] as number)) at++
  return at
}

function beforeBlanks(bytes: Uint8Array, from: number, to: number): number {
  let at = to
  while (at > from && isBlank(bytes[at - 1] as number)) at--
  return at
}

/** Trimmed, with references resolved; empty for what `markup.ts` must judge. */
function plainText(window: TextWindow, open: number, close: number): string {
  if (close - open > LONGEST_TOKEN || hasMask(window, open, close)) return ''
  const from = afterBlanks(window.bytes, open)
  const to = beforeBlanks(window.bytes, from, close)
  if (hasAmpersand(window, from, to)) return withAmpersands(window, from, to)
  return window.text.slice(from, to)
}

/** Nearly every reference in an address is `&amp;`. */
function withAmpersands(window: TextWindow, from: number, to: number): string {
  const { text, view } = window
  let resolved = ''
  let at = from
  while (hasAmpersand(window, at, to)) {
    const ampersand = window.nextAmpersand
    if (view.getInt32(ampersand + 1, true) !== AMP)
      return trimmed(resolveReferences(text.slice(from, to)) ?? '')
    resolved += text.slice(at, ampersand + 1)
    at = ampersand + AMP_LENGTH
  }
  return resolved + text.slice(at, to)
}

/** `amp;` as four bytes. */
const AMP = 0x3b706d61
const AMP_LENGTH = '&amp;'.length

/**
 * Where the entry's closing tag ends, past whatever else is in it; `sought` on the way, at the entry's own level, makes
 * it not plain. Every `<` must have its `>` before the next: where one stands in a value or a text, only quotes tell.
 */
function entryEnd(
  { text, bytes, view }: TextWindow,
  from: number,
  close: Stretch,
  sought: Stretch,
): number {
  let depth = 0
  let lt = text.indexOf('<', from)
  let gt = text.indexOf('>', from)
  while (lt >= 0 && gt > lt) {
    const first = bytes[lt + 1] as number
    if (first === BANG) {
      const after = afterDeclaration(text, lt)
      lt = after < 0 ? after : text.indexOf('<', after)
      gt = text.indexOf('>', after)
      continue
    }
    if (first === SLASH) {
      const isClose = gt - lt === close.length - 1 && isAt(view, lt, close)
      if (depth === 0) return isClose ? gt + 1 : NOT_PLAIN
      if (isClose || !isNameStart(bytes[lt + 2] as number)) return NOT_PLAIN
      depth--
    } else {
      if (!isNameStart(first) || (depth === 0 && isAt(view, lt, sought))) return NOT_PLAIN
      if (bytes[gt - 1] !== SLASH) depth++
    }
    lt = text.indexOf('<', lt + 1)
    if (lt < gt) return NOT_PLAIN
    gt = text.indexOf('>', gt + 1)
  }
  return NOT_PLAIN
}

/** Past a comment or a section, neither of which counts inside an entry. */
function afterDeclaration(text: string, at: number): number {
  if (text.startsWith('<!--', at)) return after(text, '-->', at + 4)
  return text.startsWith('<![CDATA[', at) ? after(text, ']]>', at + 9) : NOT_PLAIN
}

function after(text: string, terminator: string, from: number): number {
  const found = text.indexOf(terminator, from)
  return found < 0 ? NOT_PLAIN : found + terminator.length
}
