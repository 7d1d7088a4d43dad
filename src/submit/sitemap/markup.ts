import { closeTag, openTag } from './elements.ts'
import { addText } from './fields.ts'
import { scanPlainEntries } from './plain-entries.ts'
import { breakAt, type LongTag, type ScanState } from './scan-state.ts'
import {
  BANG,
  isNameStart,
  LONGEST_TOKEN,
  nameEnd,
  showText,
  SLASH,
  textBetween,
} from './window.ts'

const QUESTION = 0x3f

/** Takes the text in view apart into tags, texts, comments and sections, as far as they are whole. */
export function scanMarkup(state: ScanState): void {
  let isWhole = true
  while (isWhole && state.end === undefined) {
    const tags = isBetweenEntries(state) ? state.tags : undefined
    isWhole = (!tags || scanPlainEntries(state, tags)) && step(state)
  }
}

function isBetweenEntries({ level, skipped, until, longTag }: ScanState): boolean {
  return level === 'list' && skipped === 0 && until === '' && longTag === undefined
}

/** One piece of markup with the text before it; false when more must arrive first. */
function step(state: ScanState): boolean {
  showText(state.window)
  if (state.until !== '') return passOver(state, state.until)
  if (state.longTag) return passLongTag(state, state.longTag)
  const { window } = state
  const { text } = window
  const open = text.indexOf('<', window.at)
  if (open < 0) return waitForMarkup(state)
  addText(state, window.at, open)
  window.at = open
  const first = text.charCodeAt(open + 1)
  if (Number.isNaN(first)) return false
  if (first === QUESTION) return beginPassing(state, open + 2, '?>')
  return first === BANG ? declaration(state, open) : tag(state, open)
}

/** A text is only read whole; one that nobody reads is let go. */
function waitForMarkup(state: ScanState): false {
  const { window } = state
  const isRead = state.level === 'field' && state.skipped === 0
  if (isRead && window.text.length - window.at <= LONGEST_TOKEN) return false
  addText(state, window.at, window.text.length)
  window.at = window.text.length
  return false
}

function beginPassing(state: ScanState, from: number, until: string): true {
  state.window.at = from
  state.until = until
  return true
}

function passOver(state: ScanState, until: string): boolean {
  const { window } = state
  const found = window.text.indexOf(until, window.at)
  if (found < 0) {
    window.at = Math.max(window.at, window.text.length - until.length + 1)
    return false
  }
  window.at = found + until.length
  state.until = ''
  return true
}

function declaration(state: ScanState, open: number): boolean {
  const { text } = state.window
  const beginning = text.slice(open, open + 9)
  if (beginning.startsWith('<!--')) return beginPassing(state, open + 4, '-->')
  if (beginning === '<![CDATA[') return section(state, open)
  if (beginning.toUpperCase() === '<!DOCTYPE') return doctype(state, open)
  const mayBecome = ['<!--', '<![CDATA[', '<!DOCTYPE']
  if (mayBecome.some((known) => known.startsWith(beginning.toUpperCase()))) return false
  breakAt(state, open, '"<!" that begins no comment, section or doctype')
  return true
}

/** CDATA: of interest only where a text is being read. */
function section(state: ScanState, open: number): boolean {
  const { window } = state
  const from = open + 9
  if (state.level !== 'field' || state.skipped > 0) return beginPassing(state, from, ']]>')
  const close = window.text.indexOf(']]>', from)
  if (close >= 0) {
    addText(state, from, close, 'literal')
    window.at = close + 3
    return true
  }
  if (window.text.length - open <= LONGEST_TOKEN) return false
  addText(state, from, window.text.length, 'literal')
  return beginPassing(state, from, ']]>')
}

/** Passed over whole, with all it declares. */
function doctype(state: ScanState, open: number): boolean {
  const { window } = state
  const { text } = window
  const close = doctypeEnd(text, open + 9)
  if (/^\s+html[\s>]/i.test(text.slice(open + 9, open + 64))) {
    state.end = { kind: 'html' }
    return true
  }
  if (close >= 0) {
    window.at = close + 1
    return true
  }
  if (text.length - open <= LONGEST_TOKEN) return false
  breakAt(state, open, 'the doctype does not end')
  return true
}

function doctypeEnd(text: string, from: number): number {
  let brackets = 0
  for (let at = from; at < text.length; at++) {
    const character = text[at]
    if (character === '"' || character === "'") at = endOf(text, character, at + 1)
    else if (text.startsWith('<!--', at)) at = endOf(text, '-->', at + 4)
    else if (character === '[') brackets++
    else if (character === ']') brackets--
    else if (character === '>' && brackets <= 0) return at
  }
  return -1
}

function endOf(text: string, terminator: string, from: number): number {
  const found = text.indexOf(terminator, from)
  return found < 0 ? text.length : found + terminator.length - 1
}

function tag(state: ScanState, open: number): boolean {
  const { window } = state
  const { text } = window
  const isClosing = text.charCodeAt(open + 1) === SLASH
  const nameFrom = isClosing ? open + 2 : open + 1
  if (nameFrom === text.length) return false
  const close = isNameStart(text.charCodeAt(nameFrom)) ? tagEnd(text, open) : BROKEN
  if (close === UNFINISHED) return waitForTag(state, open)
  if (close === BROKEN) {
    breakAt(state, open, 'a "<" that begins no tag; in a text it must be written as "&lt;"')
    return true
  }
  window.at = close + 1
  const name = nameAt(text, nameFrom)
  if (isClosing) closeTag(state, name, open)
  else openTag(state, name, textBetween(window, open, close + 1))
  return true
}

const UNFINISHED = -1
const BROKEN = -2

/**
 * A tag ends at the first `>` outside quotes. Where a `<` comes before that, a quote was forgotten, and it
 * ends at the first `>` of all.
 */
function tagEnd(text: string, open: number): number {
  const close = text.indexOf('>', open)
  const next = text.indexOf('<', open + 1)
  if (close < 0) return next < 0 ? UNFINISHED : BROKEN
  if (next >= 0 && next < close) return BROKEN
  const second = text.indexOf('>', close + 1)
  if (next >= 0 && (second < 0 || second > next)) return close
  return endOutsideQuotes(text, open, close)
}

function endOutsideQuotes(text: string, open: number, otherwise: number): number {
  let quote = ''
  for (let at = open + 1; at < text.length; at++) {
    const character = text[at] as string
    if (character === '<') return otherwise
    if (quote === '' && character === '>') return at
    quote = quoteAfter(quote, character)
  }
  return UNFINISHED
}

function quoteAfter(quote: string, character: string): string {
  if (quote !== '') return character === quote ? '' : quote
  return character === '"' || character === "'" ? character : ''
}

function nameAt(text: string, from: number): string {
  return text.slice(from, nameEnd(text, from))
}

function waitForTag(state: ScanState, open: number): boolean {
  const { window } = state
  if (window.text.length - open <= LONGEST_TOKEN) return false
  state.longTag = { opening: window.text.slice(open, open + 256), quote: '', last: '' }
  window.at = open + 1
  return true
}

/** Nobody reads the attributes of such a tag; that it opens or closes an element still counts. */
function passLongTag(state: ScanState, long: LongTag): boolean {
  const { window } = state
  for (; window.at < window.text.length; window.at++) {
    const character = window.text[window.at] as string
    if (long.quote === '' && character === '>') return endLongTag(state, long)
    long.quote = quoteAfter(long.quote, character)
    long.last = character
  }
  return false
}

function endLongTag(state: ScanState, { opening, last }: LongTag): true {
  state.longTag = undefined
  const open = state.window.at
  state.window.at++
  const isClosing = opening.startsWith('</')
  const name = nameAt(opening, isClosing ? 2 : 1)
  if (isClosing) closeTag(state, name, open)
  else openTag(state, name, `${opening}${last === '/' ? '/>' : '>'}`)
  return true
}
