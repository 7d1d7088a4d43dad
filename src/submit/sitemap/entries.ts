import { MAX_URL_LENGTH } from '../../core/canonical-url.ts'
import {
  hashesInMarkup,
  hashesInText,
  hashPlainText,
  hashPlainUrl,
  NOT_PLAIN,
  type PlainHashes,
  type PlainOrigin,
} from '../../core/url-hash.ts'

/** Entries that arrived together. All of it is overwritten when more is scanned. */
export interface EntryBatch {
  readonly count: number
  /** Seconds since 1970, 0 for none. */
  readonly lastmods: Uint32Array
  /**
   * Of the addresses that are plain and begin with one of the origins (see `hashPlainUrl`): two halves each, 0 and 0
   * for all others.
   */
  readonly hashes: Uint32Array
  /**
   * Made when it is asked for: nearly all are as they were, and nobody wants to read them. It may share the memory of
   * the text around it: who keeps a few of many beyond the batch keeps copies (`detached`).
   */
  locAt(entry: number): string
  /** Puts an entry in the place of an earlier one that is not wanted. */
  move(from: number, to: number): void
}

/** The entries since the last batch, in memory that is used again and again. */
export interface Entries {
  readonly origins: readonly PlainOrigin[]
  readonly wantsHashes: boolean
  count: number
  lastmods: Uint32Array
  /** Both write to the same place. */
  inMarkup: PlainHashes
  inText: PlainHashes
  /** From where to where an address lies in `bytes`; or the number of its text, and 0. */
  places: Uint32Array
  texts: string[]
  /** What was scanned before the part in view, as far as it belongs to the batch, and how much that is. */
  bytes: Uint8Array
  kept: number
}

/** As many as hardly ever come at once. */
const FIRST_ENTRIES = 2_048

export function createEntries(origins: readonly PlainOrigin[]): Entries {
  const hashes = new Uint32Array(2 * FIRST_ENTRIES)
  return {
    origins,
    wantsHashes: origins.length > 0,
    count: 0,
    lastmods: new Uint32Array(FIRST_ENTRIES),
    inMarkup: hashesInMarkup(origins, hashes),
    inText: hashesInText(origins, hashes),
    places: new Uint32Array(2 * FIRST_ENTRIES),
    texts: [],
    bytes: new Uint8Array(0),
    kept: 0,
  }
}

/** An address that is at hand as text. */
export function addEntry(entries: Entries, loc: string, lastmod: number): void {
  makeRoom(entries)
  const { count, texts, inText, places, wantsHashes } = entries
  const mayBePlain = wantsHashes && loc.length <= MAX_URL_LENGTH
  if (!mayBePlain || !hashPlainText(loc, inText, 2 * count)) {
    inText.out[2 * count] = 0
    inText.out[2 * count + 1] = 0
  }
  places[2 * count] = texts.length
  places[2 * count + 1] = 0
  entries.lastmods[count] = lastmod
  entries.count++
  texts.push(loc)
}

/** Where the plain address ends that lies in view from `from` on: its hash waits for `addPlainEntry`. */
export function plainEnd(entries: Entries, view: DataView, from: number): number {
  makeRoom(entries)
  const end = hashPlainUrl(view, from, entries.inMarkup, 2 * entries.count)
  return end - from > MAX_URL_LENGTH ? NOT_PLAIN : end
}

/** The address that `plainEnd` has just looked at, which lies in view from `from` to `to`. */
export function addPlainEntry(entries: Entries, from: number, to: number, lastmod: number): void {
  const { count, kept, places } = entries
  places[2 * count] = kept + from
  places[2 * count + 1] = kept + to
  entries.lastmods[count] = lastmod
  entries.count++
}

/** What was in view up to `end` is about to leave it. */
export function keepView(entries: Entries, view: Uint8Array, end: number): void {
  const { count, texts, kept } = entries
  if (count === texts.length) return
  if (kept + end > entries.bytes.length) {
    const larger = new Uint8Array(Math.max(kept + end, 2 * entries.bytes.length))
    larger.set(entries.bytes.subarray(0, kept))
    entries.bytes = larger
  }
  entries.bytes.set(view.subarray(0, end), kept)
  entries.kept += end
}

export function takeEntries(entries: Entries): EntryBatch {
  const { count, lastmods, places, texts, bytes } = entries
  const hashes = entries.inMarkup.out
  entries.count = 0
  entries.texts = []
  entries.kept = 0
  return {
    count,
    lastmods: lastmods.subarray(0, count),
    hashes: hashes.subarray(0, 2 * count),
    locAt(entry) {
      const from = places[2 * entry] as number
      const to = places[2 * entry + 1] as number
      return to === 0 ? (texts[from] as string) : ascii.decode(bytes.subarray(from, to))
    },
    move(from, to) {
      lastmods[to] = lastmods[from] as number
      movePair(hashes, from, to)
      movePair(places, from, to)
    },
  }
}

function movePair(pairs: Uint32Array, from: number, to: number): void {
  pairs[2 * to] = pairs[2 * from] as number
  pairs[2 * to + 1] = pairs[2 * from + 1] as number
}

const ascii = new TextDecoder()

/** A copy that shares no memory with what it was cut out of. */
export function detached(text: string): string {
  return ` ${text}`.slice(1)
}

function makeRoom(entries: Entries): void {
  if (entries.count < entries.lastmods.length) return
  const hashes = doubled(entries.inMarkup.out)
  entries.inMarkup = hashesInMarkup(entries.origins, hashes)
  entries.inText = hashesInText(entries.origins, hashes)
  entries.lastmods = doubled(entries.lastmods)
  entries.places = doubled(entries.places)
}

function doubled(numbers: Uint32Array): Uint32Array {
  const more = new Uint32Array(2 * numbers.length)
  more.set(numbers)
  return more
}
