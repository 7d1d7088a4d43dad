import { dueEngines, type DueRule } from './due.ts'
import { free } from './free.ts'
import type { Rows } from './rows.ts'
import type { Shard } from './shard.ts'
import { SHARDS } from './shard-blob.ts'

/**
 * What judging needs of all stored URLs, four words each, side by side: a URL that comes by unchanged, as most do,
 * then costs one cache line instead of one per column, however many engines there are. Lives as long as a reading.
 */
export interface ReadingIndex {
  /** Per row: high, low, lastmod, marks. Sorted by hash, through all shards. */
  readonly words: Uint32Array
  /** Buckets are hashes with the same leading bits. Tells each one's first row; one more, where the last ends. */
  readonly buckets: Uint32Array
  /** `high` without its leading bits. */
  readonly bucketShift: number
}

const WORDS = 4
const LASTMOD = 2
const MARKS = 3

// Marks: the file when the reading began in 16 bits, then
const QUIET = 1 << 16
const JUDGED = 1 << 17

// Hashes are spread evenly: a bucket then fills a cache line or two, and the table of buckets stays in the cache.
const ROWS_PER_BUCKET = 4

/** Rows that are due nowhere by `rule` are quiet. */
export function buildIndex(shards: readonly Shard[], rule: DueRule): ReadingIndex {
  const rows = shards.reduce((sum, { stored }) => sum + stored.count, 0)
  const bucketBits = Math.max(Math.log2(SHARDS), Math.ceil(Math.log2(rows / ROWS_PER_BUCKET)))
  const bucketShift = 32 - bucketBits
  const buckets = new Uint32Array(2 ** bucketBits + 1)
  const words = new Uint32Array(rows * WORDS)
  let first = 0
  for (const { stored } of shards) {
    indexRows(stored, words.subarray(first * WORDS), rule)
    for (let at = 0; at < stored.count; at++) {
      // In the end each bucket holds where it ends, which is where the next begins.
      buckets[((stored.high[at] as number) >>> bucketShift) + 1] = first + at + 1
    }
    first += stored.count
  }
  for (let bucket = 1; bucket < buckets.length; bucket++) {
    if (buckets[bucket] === 0) buckets[bucket] = buckets[bucket - 1] as number
  }
  return { words, buckets, bucketShift }
}

function indexRows(rows: Rows, words: Uint32Array, rule: DueRule): void {
  const { count, high, low, lastmod, file } = rows
  for (let at = 0, to = 0; at < count; at++, to += WORDS) {
    words[to] = high[at] as number
    words[to + 1] = low[at] as number
    words[to + LASTMOD] = lastmod[at] as number
    words[to + MARKS] = (file[at] as number) | (dueEngines(rows, at, rule) === 0 ? QUIET : 0)
  }
}

/** The number of a shard's first row. */
export function firstRowOf({ buckets, bucketShift }: ReadingIndex, shard: number): number {
  return buckets[(shard << 24) >>> bucketShift] as number
}

/** The row of a hash, or -1. */
export function findIndexed(index: ReadingIndex, high: number, low: number): number {
  const { words, buckets, bucketShift } = index
  const bucket = high >>> bucketShift
  const end = (buckets[bucket + 1] as number) * WORDS
  for (let at = (buckets[bucket] as number) * WORDS; at < end; at += WORDS) {
    if (words[at + 1] === low && words[at] === high) return at / WORDS
  }
  return -1
}

/** Marks a row as judged; tells whether it was before. */
export function markJudged({ words }: ReadingIndex, row: number): boolean {
  const marks = words[row * WORDS + MARKS] as number
  words[row * WORDS + MARKS] = marks | JUDGED
  return (marks & JUDGED) !== 0
}

/** Whether the lastmod is newer than when the reading began. */
export function isNewer({ words }: ReadingIndex, row: number, lastmod: number): boolean {
  return lastmod > (words[row * WORDS + LASTMOD] as number)
}

/** Whether the row is due nowhere and was last seen in this very file. */
export function isQuietIn({ words }: ReadingIndex, row: number, file: number): boolean {
  return ((words[row * WORDS + MARKS] as number) & ~JUDGED) === (file | QUIET)
}

/** The row's state was changed from outside the reading: it has to be looked at. */
export function disturb({ words }: ReadingIndex, row: number): void {
  words[row * WORDS + MARKS] = (words[row * WORDS + MARKS] as number) & ~QUIET
}

/** What became of the rows that some file listed before. */
export interface Absences {
  readonly known: number
  /** How many neither came by nor are in a file that was seen, and 1 for each row of them. */
  readonly missing: number
  readonly isMissing: Uint8Array
  /** How many did not come by themselves, but are in a file that was seen. */
  readonly skipped: number
}

export function findAbsences({ words }: ReadingIndex, seenFiles: Uint8Array): Absences {
  const isMissing = new Uint8Array(words.length / WORDS)
  let known = 0
  let missing = 0
  let skipped = 0
  for (let row = 0; row < isMissing.length; row++) {
    const marks = words[row * WORDS + MARKS] as number
    const file = marks & 0xff_ff
    if (file === 0) continue
    known++
    if ((marks & JUDGED) !== 0) continue
    if (seenFiles[file] === 1) {
      skipped++
      continue
    }
    missing++
    isMissing[row] = 1
  }
  return { known, missing, isMissing, skipped }
}

/** The hashes of the missing: high, low, high, low, … */
export function missingHashes(
  { words }: ReadingIndex,
  { missing, isMissing }: Absences,
): Uint32Array {
  const hashes = new Uint32Array(missing * 2)
  for (let row = 0, next = 0; next < hashes.length; row++) {
    if (isMissing[row] === 0) continue
    hashes[next++] = words[row * WORDS] as number
    hashes[next++] = words[row * WORDS + 1] as number
  }
  return hashes
}

/** Ends the index, for the memory it takes. Only `firstRowOf` still works. */
export function closeIndex({ words }: ReadingIndex): void {
  free(words)
}
