import { addEntry } from './entries.ts'
import { NO_DATE } from './lastmod.ts'
import type { Arrived, ScanState } from './scan-state.ts'
import { LONGEST_TOKEN, textBetween } from './window.ts'

const LINE_END = /[\r\n]/g
const SHOWN = 200

/** A sitemap in plain text: one URL a line. */
export function scanLines(state: ScanState): void {
  const { window } = state
  for (;;) {
    LINE_END.lastIndex = window.at
    const end = LINE_END.exec(window.text)?.index
    if (end === undefined) return waitForLineEnd(state)
    endLine(state, end)
    window.at = end + 1
  }
}

/** The last line needs no end, if nothing is missing. */
export function endLines(state: ScanState, arrived: Arrived): void {
  const { window } = state
  if (arrived === 'all') endLine(state, window.text.length)
  window.at = window.text.length
  state.end = state.hasLines
    ? { kind: 'whole' }
    : { kind: 'not-a-sitemap', found: printable(state.problemText) }
}

/** It may be anything, also what a terminal would obey. */
function printable(text: string): string {
  return `"${text.slice(0, 60).replaceAll(/\p{C}/gu, '\uFFFD')}"`
}

function waitForLineEnd(state: ScanState): void {
  const { window } = state
  if (window.text.length - window.at <= LONGEST_TOKEN) return
  if (!state.isLineTooLong)
    state.onDrop('too-long', window.text.slice(window.at, window.at + SHOWN))
  state.isLineTooLong = true
  window.at = window.text.length
}

function endLine(state: ScanState, end: number): void {
  const { window } = state
  const isRestOfLongOne = state.isLineTooLong
  state.isLineTooLong = false
  if (isRestOfLongOne) return
  const line = textBetween(window, window.at, end).trim()
  if (line === '') return
  if (/^https?:\/\//i.test(line)) return keep(state, line)
  state.problemText ||= line
  state.onDrop('not-a-url', line.slice(0, SHOWN))
}

function keep(state: ScanState, loc: string): void {
  state.hasLines = true
  addEntry(state.entries, loc, NO_DATE)
}
