import type { Rows } from './rows.ts'
import { copyShard, viewShard, type StoredShard } from './shard-blob.ts'

/** One of a ledger's 256 parts, as it is worked on. */
export interface Shard {
  stored: StoredShard
  /** The bytes were given away, perhaps to be written just now: they are copied before the next change. */
  givenAway: boolean
  /** Differs from what is stored, or has fresh rows. */
  dirty: boolean
}

export function openShard(bytes: Uint8Array, at: { shard: number; engines: number }): Shard {
  return { stored: viewShard(bytes, at), givenAway: false, dirty: false }
}

/** The shard's stored rows, to be changed, with columns for every engine. */
export function rowsToChange(shard: Shard, engines: number): Rows {
  shard.dirty = true
  if (shard.givenAway || shard.stored.engines < engines) {
    shard.stored = copyShard(shard.stored, engines)
    shard.givenAway = false
  }
  return shard.stored
}

/** The row of a hash among the stored, or -1. */
export function findStored({ count, high: highs, low: lows }: Rows, high: number, low: number) {
  let from = 0
  let to = count
  while (from < to) {
    const middle = (from + to) >>> 1
    if ((highs[middle] as number) < high) from = middle + 1
    else to = middle
  }
  for (; from < count && highs[from] === high; from++) if (lows[from] === low) return from
  return -1
}
