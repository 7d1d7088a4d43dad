import { firstRowOf, isJudged, isMissing, markMissing, type ReadingIndex } from './reading-index.ts'
import type { Shard } from './shard.ts'

/** How many of the URLs that some file listed before did not come by in a reading. */
export interface Absences {
  /** Those in no file that was seen. Their rows are marked. */
  readonly missing: number
  /** Those in a file that was seen to be as before. */
  readonly skipped: number
}

export interface Seen {
  readonly index: ReadingIndex
  /** By number, 1 for each file that was seen to be as before. */
  readonly files: Uint8Array
}

export function markAbsences(shards: readonly Shard[], { index, files }: Seen): Absences {
  let missing = 0
  let skipped = 0
  shards.forEach(({ stored }, shard) => {
    const first = firstRowOf(index, shard)
    for (let at = 0; at < stored.count; at++) {
      const file = stored.file[at] as number
      if (file === 0 || isJudged(index, first + at)) continue
      if (files[file] === 1) {
        skipped++
      } else {
        markMissing(index, first + at)
        missing++
      }
    }
  })
  return { missing, skipped }
}

/** The hashes of the `count` rows that are marked as missing: high, low, high, low, … */
export function missingHashes(
  shards: readonly Shard[],
  index: ReadingIndex,
  count: number,
): Uint32Array {
  const hashes = new Uint32Array(count * 2)
  let next = 0
  shards.forEach(({ stored }, shard) => {
    const first = firstRowOf(index, shard)
    for (let at = 0; at < stored.count && next < hashes.length; at++) {
      if (!isMissing(index, first + at)) continue
      hashes[next++] = stored.high[at] as number
      hashes[next++] = stored.low[at] as number
    }
  })
  return hashes
}
