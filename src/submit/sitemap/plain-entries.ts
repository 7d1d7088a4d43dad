import { NOT_PLAIN } from '../../core/url-hash.ts'
import { nextBracket } from './byte-search.ts'
import { addEntry, addPlainEntry, plainEnd } from './entries.ts'
import { resolveReferences } from './entities.ts'
import { trimmed } from './fields.ts'
import { lastmodSeconds, NO_DATE } from './lastmod.ts'
import type { PlainTags } from './plain-tags.ts'
import type { ScanState } from './scan-state.ts'
import { isAt, knownAt, learn, type Stretch, stretchOf } from './stretch.ts'
import {
  BANG,
  GREATER,
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
  const wholeTo = wholeEntriesEnd(window, tags.close)
  while (window.at < wholeTo) {
    const end = nextEntry(state, tags, window.at)
    if (end === NOT_PLAIN) return true
    window.at = end
  }
  return state.isLast || !knownAt(window.view, window.at, tags.layout.openings)
}

/** Longer entries are looked at whether they are cut off or not. */
const LONG_ENTRY = 2_048

/**
 * Where the last closing tag in view ends. Told beforehand, since what is cut off is unlike all else: V8 would throw
 * away what it has compiled for everything that it has met.
 */
function wholeEntriesEnd({ view, at, filled }: TextWindow, close: Stretch): number {
  const first = Math.max(at, filled - LONG_ENTRY)
  let last = filled - close.length
  while (last >= first && !isAt(view, last, close)) last--
  return last >= first ? last + close.length : filled
}

function nextEntry(state: ScanState, tags: PlainTags, from: number): number {
  if (state.entries.wantsHashes) {
    const end = hashedEntry(state, tags, from)
    if (end !== NOT_PLAIN) return end
  }
  showText(state.window)
  return plainEntry(state, tags, from)
}

/** An entry laid out as one before, whose address is plain: whoever takes its hash finds its end too, without a text. */
function hashedEntry({ window, entries }: ScanState, tags: PlainTags, from: number): number {
  const { view, filled } = window
  const { openings, middles, datedEndings, undatedEndings } = tags.layout
  const opening = knownAt(view, from, openings)
  if (!opening) return NOT_PLAIN
  const locFrom = from + opening.length
  const locTo = plainEnd(entries, view, locFrom)
  if (locTo === NOT_PLAIN) return NOT_PLAIN

  const middle = knownAt(view, locTo, middles)
  const dateFrom = middle ? locTo + middle.length : locTo
  const restFrom = middle ? nextBracket(view, dateFrom, filled) : locTo
  const lastmod = middle ? lastmodSeconds(view, dateFrom, restFrom) : NO_DATE
  if (middle && lastmod === NO_DATE) return NOT_PLAIN

  const ending = knownAt(view, restFrom, middle ? datedEndings : undatedEndings)
  const isDated = middle !== undefined
  const end = ending ? restFrom + ending.length : endingEnd(window, tags, restFrom, isDated)
  // A text at the end of the view is followed by what is left of an earlier one.
  if (end === NOT_PLAIN || end > filled) return NOT_PLAIN
  addPlainEntry(entries, locFrom, locTo, lastmod)
  if (ending) skipLines(window, from, end, opening.lines + (middle?.lines ?? 0) + ending.lines)
  return end
}

/** Addresses and dates are cut out of the text; tags are sought and compared in the bytes. */
function plainEntry(state: ScanState, tags: PlainTags, from: number): number {
  const { window } = state
  const { text, view } = window
  const { openings, middles, datedEndings, undatedEndings } = tags.layout

  const opening = knownAt(view, from, openings)
  const locFrom = opening ? from + opening.length : openingEnd(window, tags, from)
  const locTo = locFrom === NOT_PLAIN ? NOT_PLAIN : text.indexOf('<', locFrom)
  if (locTo < 0) return NOT_PLAIN

  const middle = knownAt(view, locTo, middles)
  const dateFrom = middle ? locTo + middle.length : middleEnd(window, tags, locTo)
  const isDated = dateFrom !== NOT_PLAIN
  const restFrom = isDated ? text.indexOf('<', dateFrom) : locTo
  const lastmod = isDated ? lastmodSeconds(view, dateFrom, restFrom) : NO_DATE
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
function entryEnd(window: TextWindow, from: number, close: Stretch, sought: Stretch): number {
  const { bytes, view, filled } = window
  let depth = 0
  let at = from
  for (;;) {
    const lt = nextBracket(view, at, filled)
    if (lt >= filled || bytes[lt] !== LESS) return NOT_PLAIN
    const first = bytes[lt + 1] as number
    if (first === BANG) {
      at = afterDeclaration(window, lt)
      if (at === NOT_PLAIN) return NOT_PLAIN
      continue
    }
    const gt = nextBracket(view, lt + 1, filled)
    if (gt >= filled || bytes[gt] !== GREATER) return NOT_PLAIN
    at = gt + 1
    if (first === SLASH) {
      const isClose = at - lt === close.length && isAt(view, lt, close)
      if (depth === 0) return isClose ? at : NOT_PLAIN
      if (isClose || !isNameStart(bytes[lt + 2] as number)) return NOT_PLAIN
      depth--
    } else {
      if (!isNameStart(first) || (depth === 0 && isAt(view, lt, sought))) return NOT_PLAIN
      if (bytes[gt - 1] !== SLASH) depth++
    }
  }
}

/** Past a comment or a section, neither of which counts inside an entry. */
function afterDeclaration(window: TextWindow, from: number): number {
  const { view } = window
  if (isAt(view, from, COMMENT)) return afterMarks(window, from + COMMENT.length, DASH)
  return isAt(view, from, SECTION)
    ? afterMarks(window, from + SECTION.length, SQUARE_BRACKET)
    : NOT_PLAIN
}

/** Past the first `>` that has two marks before it. */
function afterMarks({ bytes, view, filled }: TextWindow, from: number, mark: number): number {
  let at = from + 2
  do {
    at = nextBracket(view, at, filled) + 1
    if (at > filled) return NOT_PLAIN
  } while (bytes[at - 1] !== GREATER || bytes[at - 2] !== mark || bytes[at - 3] !== mark)
  return at
}

const COMMENT = stretchOf(new TextEncoder().encode('<!--'))
const SECTION = stretchOf(new TextEncoder().encode('<![CDATA['))
const DASH = 0x2d
const SQUARE_BRACKET = 0x5d
