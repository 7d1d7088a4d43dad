import type { PlainOrigin } from '../../core/url-hash.ts'
import { openDecoding } from './encoding.ts'
import { type EntryBatch, keepView, takeEntries } from './entries.ts'
import { scanMarkup } from './markup.ts'
import {
  type Arrived,
  breakAt,
  createScanState,
  type DropReason,
  type ScanEnd,
  type ScanState,
} from './scan-state.ts'
import { type SitemapFormat, TEXT_SHAPE } from './shapes.ts'
import { endLines, scanLines } from './text-list.ts'
import { fill, look, moveOn, showText } from './window.ts'

/**
 * Reads one sitemap as its bytes arrive, in memory that does not depend on its size. It knows what sitemaps, feeds
 * and lists of URLs look like and is no XML parser: nothing is expanded, fetched or validated.
 */
export interface SitemapScan {
  /** Scans the next bytes. They are copied: the chunk may be reused. */
  push(chunk: Uint8Array): void
  /** Scans what was gathered, however little: for when nothing has come for a while. */
  catchUp(): void
  /** No more bytes come: what did the document turn out to be? */
  end(arrived?: Arrived): ScanEnd
  /** The entries found since the last call. */
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
  /** What plain addresses begin with whose hashes are wanted; nearly all of them are then read without their text. */
  readonly origins?: readonly PlainOrigin[]
  /** Smaller chunks are gathered first: what was cut in two is looked at again each time. */
  readonly atLeastBytes?: number
}

export function openScan({
  onDrop,
  origins = [],
  atLeastBytes = 16 * 1024,
}: ScanOptions): SitemapScan {
  const state = createScanState(onDrop, origins)
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
    leaveView(state)
  }
  return {
    push: (chunk) => feed(decoding.push(chunk)),
    catchUp() {
      if (unseen > 0 && !state.end) scan()
    },
    end(arrived = 'all') {
      feed(decoding.end())
      look(state.window)
      showText(state.window)
      state.isLast = true
      scanView(state)
      state.end ??= endOf(state, arrived)
      leaveView(state)
      return state.end
    },
    take: () => takeEntries(state.entries),
    format: () => state.shape?.format,
    badDates: () => ({ count: state.badDates, first: state.badDate }),
    isOver: () => state.end !== undefined,
  }
}

function leaveView({ entries, window }: ScanState): void {
  keepView(entries, window.bytes, window.at)
  moveOn(window)
}

function scanView(state: ScanState): void {
  // Only between entries there is another way.
  if (state.level !== 'list') showText(state.window)
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

function endOf(state: ScanState, arrived: Arrived): ScanEnd {
  const { window, level } = state
  if (level === 'lines') endLines(state, arrived)
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
