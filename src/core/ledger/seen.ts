import { DamagedLedger } from './damaged-ledger.ts'
import type { LedgerRows } from './ledger-rows.ts'
import { firstRowOf, isJudged, markJudged, type ReadingIndex } from './reading-index.ts'
import type { Shard } from './shard.ts'

/**
 * Which rows came by in a reading, to be kept beside the shards while it pauses: a bit for each row, in the order of
 * the shards, after the number of rows. A million URLs are 125 KB.
 */
const HEADER_BYTES = 4

/** A reading that is to go on later, in another invocation: all of it but what is in the shards. */
export interface PausedReading {
  /** By `packSeen`, of the shards as they are written together with it. */
  readonly seen: Uint8Array
  /** As of the beginning of the reading. */
  readonly known: number
  readonly counts: {
    readonly listed: number
    readonly repeated: number
    readonly new: number
    readonly changed: number
  }
}

/** Marks the rows that came by in an earlier part of the reading. */
export function markSeen(index: ReadingIndex, seen: Uint8Array): void {
  const rows = index.prints.length / 2
  const bits = seen.subarray(HEADER_BYTES)
  if (seen.length < HEADER_BYTES || rowsOf(seen) !== rows || bits.length !== bytesFor(rows)) {
    throw new DamagedLedger('paused reading', `it does not belong to shards of ${rows} rows`)
  }
  for (let row = 0; row < rows; row++) {
    if (((bits[row >>> 3] as number) & (1 << (row & 7))) !== 0) markJudged(index, row)
  }
}

/** To be called before the shards are merged with what is new; what it gives, with the merged ones. */
export function packSeen(
  { shards, fresh }: LedgerRows,
  index: ReadingIndex,
): (merged: readonly Shard[]) => Uint8Array {
  const before = shards.map(({ stored }) => stored)
  // Rows that were added by an outcome and did not come by: there are hardly any.
  const unseen = new Set<bigint>()
  for (const { count, high, low, judged } of fresh.chunks) {
    for (let at = 0; at < count; at++) {
      if (judged[at] === 0) unseen.add(keyOf(high[at] as number, low[at] as number))
    }
  }
  return (merged) => {
    const rows = merged.reduce((sum, { stored }) => sum + stored.count, 0)
    const seen = new Uint8Array(HEADER_BYTES + bytesFor(rows))
    new DataView(seen.buffer).setUint32(0, rows, true)
    let row = 0
    merged.forEach(({ stored }, shard) => {
      const old = before[shard]
      const first = firstRowOf(index, shard)
      let next = 0
      for (let at = 0; at < stored.count; at++, row++) {
        const [high, low] = [stored.high[at] as number, stored.low[at] as number]
        const isOld = old && old.high[next] === high && old.low[next] === low && next < old.count
        const isSeen = isOld
          ? isJudged(index, first + next++)
          : unseen.size === 0 || !unseen.has(keyOf(high, low))
        if (isSeen) {
          const byte = HEADER_BYTES + (row >>> 3)
          seen[byte] = (seen[byte] as number) | (1 << (row & 7))
        }
      }
    })
    return seen
  }
}

const bytesFor = (rows: number) => (rows + 7) >>> 3

const rowsOf = ({ buffer, byteOffset }: Uint8Array) =>
  new DataView(buffer, byteOffset).getUint32(0, true)

const keyOf = (high: number, low: number) => (BigInt(high) << 32n) | BigInt(low)
