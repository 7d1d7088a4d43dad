import { dealOut } from './deal-out.ts'
import {
  appendFresh,
  CHUNK_MASK,
  chunkOf,
  closePlaces,
  findFresh,
  openFreshRows,
  widenChunk,
  type FreshRows,
} from './fresh-rows.ts'
import { mergeShard } from './merge-shard.ts'
import type { ReadingIndex } from './reading-index.ts'
import type { Rows } from './rows.ts'
import { findStored, rowsToChange, type Shard } from './shard.ts'
import { shardOf, type StoredShard } from './shard-blob.ts'

/** All rows of an open ledger: those that are stored, by shard, and those that are not yet. */
export interface LedgerRows {
  readonly engines: number
  readonly shards: readonly Shard[]
  fresh: FreshRows
  /** Of the reading under way, if there is one. */
  index: ReadingIndex | undefined
}

/** A row, as found. One object is used for many, so that a million URLs make no garbage. */
export interface FoundRow {
  rows: Rows
  at: number
  /** Of a stored row; a fresh one has none yet. */
  shard: Shard | undefined
  isNew: boolean
}

export function foundNothing({ shards }: LedgerRows): FoundRow {
  return { rows: (shards[0] as Shard).stored, at: 0, shard: undefined, isNew: false }
}

export function shardAt({ shards }: LedgerRows, high: number): Shard {
  return shards[shardOf(high)] as Shard
}

/** Points `found` at the row of a hash, which is added where there is none. */
export function findOrAdd(ledger: LedgerRows, high: number, low: number, found: FoundRow): void {
  const shard = shardAt(ledger, high)
  const at = findStored(shard.stored, high, low)
  if (at < 0) return findFreshOrAdd(ledger, high, low, found)
  found.rows = shard.stored
  found.at = at
  found.shard = shard
  found.isNew = false
}

/** The same for a hash that is known not to be among the stored. */
export function findFreshOrAdd(ledger: LedgerRows, high: number, low: number, found: FoundRow) {
  const { fresh } = ledger
  const known = findFresh(fresh, high, low)
  const row = known >= 0 ? known : appendFresh(fresh, high, low)
  found.rows = chunkOf(fresh, row)
  found.at = row & CHUNK_MASK
  found.shard = undefined
  found.isNew = known < 0
  if (found.isNew) shardAt(ledger, high).dirty = true
}

/** Must be called before the found row is changed: turns `found` to rows that may be, with columns for every engine. */
export function prepareToChange(ledger: LedgerRows, found: FoundRow): void {
  const { engines } = ledger
  if (found.shard) found.rows = rowsToChange(found.shard, engines)
  else if (found.rows.engines < engines) widenChunk(found.rows, engines)
}

/**
 * The shards that differ from what is stored, with everything in them but the stored rows that are gone. What is given
 * away is never changed again.
 */
export function encodeChanges(
  ledger: LedgerRows,
  isGone?: (shard: number, at: number) => boolean,
): Map<number, Uint8Array> {
  const { shards, fresh, engines } = ledger
  ledger.fresh = openFreshRows()
  closePlaces(fresh)
  const additions = dealOut(fresh, engines)
  const encoded = new Map<number, Uint8Array>()
  shards.forEach((shard, prefix) => {
    if (!shard.dirty) return
    shard.stored = mergeShard({
      stored: shard.stored,
      fresh: additions[prefix] as StoredShard,
      isGone: isGone && ((at) => isGone(prefix, at)),
    })
    shard.givenAway = true
    shard.dirty = false
    encoded.set(prefix, shard.stored.count > 0 ? shard.stored.bytes : new Uint8Array(0))
  })
  return encoded
}
