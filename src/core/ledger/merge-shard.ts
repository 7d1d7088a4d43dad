import type { Rows } from './rows.ts'
import { allocateShard, SHARDS, shardOf, type StoredShard } from './shard-blob.ts'

export interface MergedParts {
  readonly stored: StoredShard
  readonly fresh: Rows
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
  const isSame = freshOrder.length === 0 && staying === stored.count && stored.engines === engines
  if (isSame) return stored

  const merged = allocateShard(staying + freshOrder.length, engines)
  let to = 0
  let next = 0
  for (let at = 0; at < stored.count; at++) {
    if (isGone?.(at)) continue
    while (next < freshOrder.length && isBefore(fresh, freshOrder[next] as number, stored, at)) {
      copyRow(fresh, freshOrder[next++] as number, merged, to++)
    }
    copyRow(stored, at, merged, to++)
  }
  while (next < freshOrder.length) copyRow(fresh, freshOrder[next++] as number, merged, to++)
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

/** The rows' numbers by shard, in each sorted by hash. */
export function orderByShard(rows: Rows): Uint32Array[] {
  const ends = new Uint32Array(SHARDS + 1)
  for (let at = 0; at < rows.count; at++) {
    const shard = shardOf(rows.high[at] as number)
    ends[shard + 1] = (ends[shard + 1] as number) + 1
  }
  for (let shard = 0; shard < SHARDS; shard++) {
    ends[shard + 1] = (ends[shard + 1] as number) + (ends[shard] as number)
  }
  const starts = ends.slice()
  const order = new Uint32Array(rows.count)
  for (let at = 0; at < rows.count; at++) {
    const shard = shardOf(rows.high[at] as number)
    const to = starts[shard] as number
    order[to] = at
    starts[shard] = to + 1
  }
  return Array.from({ length: SHARDS }, (_, shard) =>
    sortByHash(rows, order.subarray(ends[shard], ends[shard + 1])),
  )
}

const ROW_LIMIT = 2 ** 29

// Sorting numbers without a comparison function is native and several times as fast: so the part of the hash that
// differs within a shard and the row's number are made one number of 53 bits.
function sortByHash({ high, low }: Rows, order: Uint32Array): Uint32Array {
  const keys = new Float64Array(order.length)
  for (let n = 0; n < order.length; n++) {
    const at = order[n] as number
    keys[n] = ((high[at] as number) & 0xff_ff_ff) * ROW_LIMIT + at
  }
  keys.sort()
  for (let n = 0; n < order.length; n++) {
    const key = keys[n] as number
    order[n] = key - Math.floor(key / ROW_LIMIT) * ROW_LIMIT
    sinkAmongEqualHighs(order, n, { high, low })
  }
  return order
}

function sinkAmongEqualHighs(
  order: Uint32Array,
  n: number,
  { high, low }: Pick<Rows, 'high' | 'low'>,
) {
  const at = order[n] as number
  let to = n
  for (; to > 0; to--) {
    const before = order[to - 1] as number
    if (high[before] !== high[at] || (low[before] as number) < (low[at] as number)) break
    order[to] = before
  }
  order[to] = at
}
