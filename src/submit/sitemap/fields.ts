import { resolveReferences } from './entities.ts'
import { dateSeconds, NO_DATE } from './lastmod.ts'
import type { DropReason, ScanState } from './scan-state.ts'
import { attribute } from './shapes.ts'
import { hasAmpersand, isBlank, LONGEST_TOKEN, textBetween } from './window.ts'

/** The two things an entry is read for, put together from however many texts and sections they are written in. */
export function beginField(state: ScanState, name: string, field: ScanState['field']): void {
  state.level = 'field'
  state.fieldName = name
  state.field = field
  state.fieldText = ''
  state.fieldProblem = undefined
}

/** The text between two tags, or a section of CDATA, whose ampersands mean themselves. */
export function addText(
  state: ScanState,
  from: number,
  to: number,
  kind: 'escaped' | 'literal' = 'escaped',
): void {
  if (from === to || state.level !== 'field' || state.skipped > 0) return
  const { window } = state
  if (state.fieldText.length + to - from > LONGEST_TOKEN) {
    state.fieldProblem ??= 'too-long'
    state.fieldText ||= window.text.slice(from, from + SHOWN)
    return
  }
  const text = textBetween(window, from, to)
  const isEscaped = kind === 'escaped' && hasAmpersand(window, from, to)
  const resolved = isEscaped ? resolveReferences(text) : text
  if (resolved === undefined) state.fieldProblem ??= 'undefined-entity'
  if (resolved?.includes('\uFFFD')) state.fieldProblem ??= 'bad-encoding'
  state.fieldText += resolved ?? text
}

/** How much of a text is shown to people when it is dropped. */
const SHOWN = 200

export function endField(state: ScanState): void {
  const { field, fieldProblem } = state
  const text = trimmed(state.fieldText)
  state.level = 'entry'
  state.fieldText = ''
  if (field === 'loc') takeLoc(state, text, fieldProblem)
  else if (field < state.dateRank) takeDate(state, field, text)
}

/** Without the blanks of every script, and without what only `isBlank` takes for one. */
export function trimmed(text: string): string {
  let from = 0
  let to = text.length
  while (from < to && isBlank(text.charCodeAt(from))) from++
  while (to > from && isBlank(text.charCodeAt(to - 1))) to--
  return text.slice(from, to).trim()
}

/** An Atom link: the one that leads to the page itself. */
export function takeLink(state: ScanState, tag: string): void {
  const rel = attribute(tag, 'rel') ?? 'alternate'
  const href = attribute(tag, 'href')
  if (rel !== 'alternate' || href === undefined) return
  const resolved = resolveReferences(href)
  takeLoc(state, trimmed(resolved ?? href), resolved === undefined ? 'undefined-entity' : undefined)
}

/** The first that is good counts. */
function takeLoc(state: ScanState, text: string, problem: DropReason | undefined): void {
  if (state.loc !== '') return
  if (problem === undefined) {
    state.loc = text
    return
  }
  state.problem = problem
  state.problemText = text.slice(0, SHOWN)
}

function takeDate(state: ScanState, rank: number, text: string): void {
  const seconds = dateSeconds(text)
  if (seconds === NO_DATE) return countBadDate(state, text)
  state.lastmod = seconds
  state.dateRank = rank
}

/** The URL is kept without its date; the doctor tells of it. */
function countBadDate(state: ScanState, text: string): void {
  if (text === '') return
  state.badDates++
  state.badDate ||= text.slice(0, SHOWN)
}
