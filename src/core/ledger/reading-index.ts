import { dueEngines, type DueRule } from './due.ts'
import { free } from './free.ts'
import type { Rows } from './rows.ts'
import type { Shard } from './shard.ts'
import { SHARDS, shardOf } from './shard-blob.ts'

/**
 * What tells at a glance that a URL is as it was: eight bytes for each stored row, side by side. Most URLs come by
 * unchanged, and then cost one cache line instead of one per column, however many engines there are. Rows are numbered
 * through all shards. Lives as long as a reading.
 */
export interface ReadingIndex {
  /**
   * Two words per row: its hash crossed with its file and with its lastmod, equal only if all three are. The top byte of
   * the first holds the row's marks, since the shard tells that part of the hash.
   */
  readonly prints: Int32Array
  /** Buckets are hashes with the same leading bits. Tells each one's first row; one more, where the last ends. */
  readonly buckets: Uint32Array
  /** `high` without its leading bits. */
  readonly bucketShift: number
  /** Rows that some file listed when the reading began. */
  readonly known: number
  /** What `bringNear` saw last; means nothing. */
  brought: number
}

// Marks of a row: due nowhere; came by; listed by no file any more.
const QUIET = 1 << 24
const JUDGED = 1 << 25
const MISSING = 1 << 26
const PRINT = 0xff_ff_ff

// Hashes are spread evenly: a bucket then fills half a cache line, and the table of buckets stays in the cache.
const ROWS_PER_BUCKET = 4

/** Rows that are due nowhere by `rule` are quiet. */
export function buildIndex(shards: readonly Shard[], rule: DueRule): ReadingIndex {
  const rows = shards.reduce((sum, { stored }) => sum + stored.count, 0)
  const bucketBits = Math.max(Math.log2(SHARDS), Math.ceil(Math.log2(rows / ROWS_PER_BUCKET)))
  const index = {
    prints: new Int32Array(rows * 2),
    buckets: new Uint32Array(2 ** bucketBits + 1),
    bucketShift: 32 - bucketBits,
    known: 0,
    brought: 0,
  }
  let first = 0
  for (const { stored } of shards) {
    index.known += indexRows(stored, { index, first, rule })
    first += stored.count
  }
  const { buckets } = index
  for (let bucket = 1; bucket < buckets.length; bucket++) {
    if (buckets[bucket] === 0) buckets[bucket] = buckets[bucket - 1] as number
  }
  return index
}

interface Indexing {
  readonly index: ReadingIndex
  readonly first: number
  readonly rule: DueRule
}

/** Tells how many of the rows some file listed. */
function indexRows(rows: Rows, { index, first, rule }: Indexing): number {
  const { prints, buckets, bucketShift } = index
  let known = 0
  for (let at = 0, row = first; at < rows.count; at++, row++) {
    const high = rows.high[at] as number
    const file = rows.file[at] as number
    const isQuiet = dueEngines(rows, at, rule) === 0
    prints[row * 2] = crossFile(high, file) | (isQuiet ? QUIET : 0)
    prints[row * 2 + 1] = crossLastmod(rows.low[at] as number, rows.lastmod[at] as number)
    // In the end each bucket holds where it ends, which is where the next begins.
    buckets[(high >>> bucketShift) + 1] = row + 1
    if (file !== 0) known++
  }
  return known
}

// Both crossings can be undone, within the shard: so a hash with another file or lastmod never looks the same, and
// another hash does only where all bits agree by chance, which is as unlikely as two URLs of one hash.
export function crossFile(high: number, file: number): number {
  return (high ^ Math.imul(file, 0x9e37_79b1)) & PRINT
}

export function crossLastmod(low: number, lastmod: number): number {
  return low ^ Math.imul(lastmod, 0x85eb_ca6b)
}

/**
 * Looks at where each of these hashes (high, low, high, low, …) has its rows. Nothing comes of it but that they are
 * near when they are asked for: here the processor waits for many far places at once, there for one after the other.
 */
export function bringNear(index: ReadingIndex, hashes: Uint32Array): void {
  const { prints, buckets, bucketShift } = index
  let seen = 0
  for (let i = 0; i < hashes.length; i += 2) {
    seen ^= prints[(buckets[(hashes[i] as number) >>> bucketShift] as number) * 2] as number
  }
  // Kept, or the compiler would find that nobody wants it and look at nothing.
  index.brought = seen
}

/** The row with both crossings, of a URL that is as it was when the reading began; or -1. */
export function findSame(
  { prints, buckets, bucketShift }: ReadingIndex,
  high: number,
  withFile: number,
  withLastmod: number,
): number {
  const bucket = high >>> bucketShift
  const end = buckets[bucket + 1] as number
  for (let row = buckets[bucket] as number; row < end; row++) {
    if (prints[row * 2 + 1] !== withLastmod) continue
    if (((prints[row * 2] as number) & PRINT) === withFile) return row
  }
  return -1
}

/** The row of a hash, or -1. */
export function findRow(index: ReadingIndex, { stored }: Shard, high: number, low: number): number {
  const { buckets, bucketShift } = index
  const bucket = high >>> bucketShift
  const first = firstRowOf(index, shardOf(high))
  const end = buckets[bucket + 1] as number
  for (let row = buckets[bucket] as number; row < end; row++) {
    if (stored.low[row - first] === low && stored.high[row - first] === high) return row
  }
  return -1
}

/** The number of a shard's first row. */
export function firstRowOf({ buckets, bucketShift }: ReadingIndex, shard: number): number {
  return buckets[(shard << 24) >>> bucketShift] as number
}

/** Marks a row as judged; tells whether it was before. */
export function markJudged({ prints }: ReadingIndex, row: number): boolean {
  const before = prints[row * 2] as number
  prints[row * 2] = before | JUDGED
  return (before & JUDGED) !== 0
}

export function isJudged({ prints }: ReadingIndex, row: number): boolean {
  return ((prints[row * 2] as number) & JUDGED) !== 0
}

export function isQuiet({ prints }: ReadingIndex, row: number): boolean {
  return ((prints[row * 2] as number) & QUIET) !== 0
}

/** The row's state was changed from outside the reading: it has to be looked at. */
export function disturb({ prints }: ReadingIndex, row: number): void {
  prints[row * 2] = (prints[row * 2] as number) & ~QUIET
}

export function markMissing({ prints }: ReadingIndex, row: number): void {
  prints[row * 2] = (prints[row * 2] as number) | MISSING
}

export function isMissing({ prints }: ReadingIndex, row: number): boolean {
  return ((prints[row * 2] as number) & MISSING) !== 0
}

/** Ends the index, for the memory it takes. */
export function closeIndex({ prints }: ReadingIndex): void {
  free(prints)
}
