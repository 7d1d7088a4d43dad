import { CHUNK_MASK, chunkOf, type FreshRows } from './fresh-rows.ts'
import type { Rows } from './rows.ts'
import { allocateShard, type StoredShard } from './shard-blob.ts'

export interface MergedParts {
  readonly stored: StoredShard
  readonly fresh: FreshRows
  /** Which rows of `fresh` belong to this shard, sorted by hash. */
  readonly freshOrder: Uint32Array
  /** How many engines the merged shard knows. */
  readonly engines: number
  /** Whether a row of `stored` is to be left out. */
  readonly isGone: ((at: number) => boolean) | undefined
}

/** Stored and fresh rows as one sorted shard, without those that are gone. */
export function mergeShard({
  stored,
  fresh,
  freshOrder,
  engines,
  isGone,
}: MergedParts): StoredShard {
  const staying = countStaying(stored, isGone)
  if (freshOrder.length === 0 && staying === stored.count) return stored

  const merged = allocateShard(staying + freshOrder.length, engines)
  let to = 0
  let at = 0
  for (const row of freshOrder) {
    const chunk = chunkOf(fresh, row)
    for (; at < stored.count && isBefore(stored, at, chunk, row & CHUNK_MASK); at++) {
      if (!isGone?.(at)) copyRow(stored, at, merged, to++)
    }
    copyRow(chunk, row & CHUNK_MASK, merged, to++)
  }
  for (; at < stored.count; at++) if (!isGone?.(at)) copyRow(stored, at, merged, to++)
  return merged
}

function countStaying({ count }: Rows, isGone: MergedParts['isGone']): number {
  if (!isGone) return count
  let staying = 0
  for (let at = 0; at < count; at++) if (!isGone(at)) staying++
  return staying
}

function isBefore(left: Rows, leftAt: number, right: Rows, rightAt: number): boolean {
  const leftHigh = left.high[leftAt] as number
  const rightHigh = right.high[rightAt] as number
  if (leftHigh !== rightHigh) return leftHigh < rightHigh
  return (left.low[leftAt] as number) < (right.low[rightAt] as number)
}

function copyRow(from: Rows, at: number, merged: Rows, to: number): void {
  merged.high[to] = from.high[at] as number
  merged.low[to] = from.low[at] as number
  merged.lastmod[to] = from.lastmod[at] as number
  merged.file[to] = from.file[at] as number
  // Engines that the row has no columns for stay 0, which is "unsent".
  for (let engine = 0; engine < from.engines; engine++) {
    const source = engine * from.capacity + at
    const target = engine * merged.capacity + to
    merged.when[target] = from.when[source] as number
    merged.state[target] = from.state[source] as number
  }
}
