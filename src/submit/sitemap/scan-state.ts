import type { PlainOrigin } from '../../core/url-hash.ts'
import { createEntries, type Entries } from './entries.ts'
import type { PlainTags } from './plain-tags.ts'
import type { Shape } from './shapes.ts'
import { createWindow, placeAt, type TextWindow } from './window.ts'

/** Why an entry, or what stood in its place, is not among those found. */
export type DropReason = 'no-loc' | 'too-long' | 'undefined-entity' | 'bad-encoding' | 'not-a-url'

/** Of a list that was cut off, the last line may be the half of one. */
export type Arrived = 'all' | 'cut-off'

/** What a document turned out to be. */
export type ScanEnd =
  | { readonly kind: 'whole' }
  | { readonly kind: 'empty' }
  | { readonly kind: 'html' }
  | { readonly kind: 'not-a-sitemap'; readonly found: string }
  /** Everything before the place is good, nothing after it was looked at. */
  | {
      readonly kind: 'broken'
      readonly problem: string
      readonly line: number
      readonly column: number
    }

export interface ScanState {
  readonly window: TextWindow
  readonly onDrop: (reason: DropReason, value: string) => void
  readonly entries: Entries
  end: ScanEnd | undefined
  /** Nothing more will come into view. */
  isLast: boolean

  shape: Shape | undefined
  /** The names as this document writes them, prefix included. */
  rootName: string
  containerName: string
  entryName: string
  fieldName: string
  own: ReadonlySet<string>
  tags: PlainTags | undefined

  /** Nothing but blanks yet; before the root; between entries; in one; in a part of one; a list of URLs as text. */
  level: 'blank' | 'prolog' | 'list' | 'entry' | 'field' | 'lines'
  /** Open elements that nobody asked about, inside the level. */
  skipped: number
  /** How many of them bear the entry's own name. */
  skippedEntries: number
  /** What ends the comment, section or instruction that is being passed over. */
  until: string
  /** A tag too long to keep is being passed over: its beginning, the quote it is inside of, its last character. */
  longTag: LongTag | undefined

  /** Which part of the entry is being read: its address, or one of the shape's dates. */
  field: 'loc' | number
  fieldText: string
  fieldProblem: DropReason | undefined
  loc: string
  lastmod: number
  /** Which of the shape's dates `lastmod` came from. */
  dateRank: number
  /** Why the entry will be dropped if nothing better comes, and what is to blame. */
  problem: DropReason
  problemText: string

  /** Dates that are none, and the first of them. */
  badDates: number
  badDate: string

  /** Of a list of lines: whether one was a URL, and whether the current one is being passed over. */
  hasLines: boolean
  isLineTooLong: boolean
}

export interface LongTag {
  readonly opening: string
  quote: string
  last: string
}

export function createScanState(
  onDrop: ScanState['onDrop'],
  origins: readonly PlainOrigin[],
): ScanState {
  return {
    window: createWindow(),
    onDrop,
    entries: createEntries(origins),
    end: undefined,
    isLast: false,
    shape: undefined,
    rootName: '',
    containerName: '',
    entryName: '',
    fieldName: '',
    own: new Set(),
    tags: undefined,
    level: 'blank',
    skipped: 0,
    skippedEntries: 0,
    until: '',
    longTag: undefined,
    field: 'loc',
    fieldText: '',
    fieldProblem: undefined,
    loc: '',
    lastmod: 0,
    dateRank: 0,
    problem: 'no-loc',
    problemText: '',
    badDates: 0,
    badDate: '',
    hasLines: false,
    isLineTooLong: false,
  }
}

/** The document is not well formed at `at`: nothing behind it is looked at. */
export function breakAt(state: ScanState, at: number, problem: string): void {
  state.end = { kind: 'broken', problem, ...placeAt(state.window, at) }
}
