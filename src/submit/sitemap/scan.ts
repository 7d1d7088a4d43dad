import { openDecoding } from './encoding.ts'
import { scanMarkup } from './markup.ts'
import {
  breakAt,
  createScanState,
  type DropReason,
  type EntryBatch,
  type ScanEnd,
  type ScanState,
} from './scan-state.ts'
import { type SitemapFormat, TEXT_SHAPE } from './shapes.ts'
import { endLines, scanLines } from './text-list.ts'
import { fill, look, moveOn } from './window.ts'

/**
 * Reads one sitemap as its bytes arrive, in memory that does not depend on its size. It knows what sitemaps, feeds
 * and lists of URLs look like and is no XML parser: nothing is expanded, fetched or validated.
 */
export interface SitemapScan {
  /** Scans the next bytes. They are copied: the chunk may be reused. */
  push(chunk: Uint8Array): void
  /** No more bytes come: what did the document turn out to be? */
  end(): ScanEnd
  /**
   * The entries found since the last call. A `loc` shares the memory of the text around it: who keeps a few
   * of many beyond the batch keeps copies (`detached`).
   */
  take(): EntryBatch
  /** Known once the root element, or the first line, has arrived. */
  format(): SitemapFormat | undefined
  /** How many dates could not be read, and the first of them. */
  badDates(): { readonly count: number; readonly first: string }
  /** Whether further bytes cannot change the result. */
  isOver(): boolean
}

export interface ScanOptions {
  /** Told of every entry that is left out, with the beginning of what stood in its place. */
  readonly onDrop: (reason: DropReason, value: string) => void
  /** Smaller chunks are gathered first: what was cut in two is looked at again each time. */
  readonly atLeastBytes?: number
}

export function openScan({ onDrop, atLeastBytes = 16 * 1024 }: ScanOptions): SitemapScan {
  const state = createScanState(onDrop)
  const decoding = openDecoding()
  let unseen = 0
  const feed = (bytes: Uint8Array) => {
    for (let from = 0; from < bytes.length && !state.end;) {
      const count = fill(state.window, bytes, from)
      from += count
      unseen += count
      if (unseen >= atLeastBytes) scan()
    }
  }
  const scan = () => {
    unseen = 0
    look(state.window)
    scanView(state)
    moveOn(state.window)
  }
  return {
    push: (chunk) => feed(decoding.push(chunk)),
    end() {
      feed(decoding.end())
      look(state.window)
      scanView(state)
      return (state.end ??= endOf(state))
    },
    take() {
      const { locs, lastmods } = state
      state.locs = []
      state.lastmods = []
      return { locs, lastmods }
    },
    format: () => state.shape?.format,
    badDates: () => ({ count: state.badDates, first: state.badDate }),
    isOver: () => state.end !== undefined,
  }
}

/** A copy that shares no memory with what it was cut out of. */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}

function scanView(state: ScanState): void {
  if (state.level === 'blank') begin(state)
  if (state.level === 'lines') scanLines(state)
  else if (state.level !== 'blank') scanMarkup(state)
}

/** What begins with a tag is markup, anything else a list of lines. */
function begin(state: ScanState): void {
  const { window } = state
  const beginning = window.text.search(/\S/)
  window.at = beginning < 0 ? window.text.length : beginning
  if (beginning < 0) return
  const isMarkup = window.text[window.at] === '<'
  state.level = isMarkup ? 'prolog' : 'lines'
  if (!isMarkup) state.shape = TEXT_SHAPE
}

function endOf(state: ScanState): ScanEnd {
  const { window, level } = state
  if (level === 'lines') endLines(state)
  else if (level === 'blank' || (level === 'prolog' && isSilent(state)))
    state.end = { kind: 'empty' }
  else breakAt(state, window.text.length, unfinished(state))
  return state.end as ScanEnd
}

function isSilent({ window, until, longTag }: ScanState): boolean {
  return until === '' && !longTag && window.at === window.text.length
}

function unfinished({ rootName }: ScanState): string {
  return rootName === ''
    ? 'the document ends before its first element'
    : `the document ends before </${rootName}>`
}
