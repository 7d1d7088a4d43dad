import { CHUNK_BITS, CHUNK_MASK, chunkOf, type FreshRows } from './fresh-rows.ts'
import { SHARDS, shardOf } from './shard-blob.ts'

/** The numbers of fresh rows by shard, in each sorted by hash. */
export function orderByShard(fresh: FreshRows): Uint32Array[] {
  const starts = new Uint32Array(SHARDS + 1)
  for (const { count, high } of fresh.chunks) {
    for (let at = 0; at < count; at++) {
      const next = shardOf(high[at] as number) + 1
      starts[next] = (starts[next] as number) + 1
    }
  }
  for (let shard = 0; shard < SHARDS; shard++) {
    starts[shard + 1] = (starts[shard + 1] as number) + (starts[shard] as number)
  }
  const order = new Uint32Array(fresh.count)
  const next = starts.slice()
  fresh.chunks.forEach(({ count, high }, chunk) => {
    for (let at = 0; at < count; at++) {
      const shard = shardOf(high[at] as number)
      const to = next[shard] as number
      order[to] = (chunk << CHUNK_BITS) | at
      next[shard] = to + 1
    }
  })
  return Array.from({ length: SHARDS }, (_, shard) =>
    sortByHash(fresh, order.subarray(starts[shard], starts[shard + 1])),
  )
}

const ROW_LIMIT = 2 ** 29

// Sorting numbers without a comparison function is native and several times as fast: so the part of the hash that
// differs within a shard and the row's number are made one number of 53 bits.
function sortByHash(fresh: FreshRows, order: Uint32Array): Uint32Array {
  const keys = new Float64Array(order.length)
  for (let n = 0; n < order.length; n++) {
    const row = order[n] as number
    keys[n] = (highOf(fresh, row) & 0xff_ff_ff) * ROW_LIMIT + row
  }
  keys.sort()
  for (let n = 0; n < order.length; n++) {
    const key = keys[n] as number
    order[n] = key - Math.floor(key / ROW_LIMIT) * ROW_LIMIT
    sinkAmongEqualHighs(fresh, order, n)
  }
  return order
}

function sinkAmongEqualHighs(fresh: FreshRows, order: Uint32Array, n: number): void {
  const row = order[n] as number
  let to = n
  for (; to > 0; to--) {
    const before = order[to - 1] as number
    if (highOf(fresh, before) !== highOf(fresh, row) || lowOf(fresh, before) < lowOf(fresh, row))
      break
    order[to] = before
  }
  order[to] = row
}

function highOf(fresh: FreshRows, row: number): number {
  return chunkOf(fresh, row).high[row & CHUNK_MASK] as number
}

function lowOf(fresh: FreshRows, row: number): number {
  return chunkOf(fresh, row).low[row & CHUNK_MASK] as number
}
