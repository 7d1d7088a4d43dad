import { closeChunk, type FreshRows } from './fresh-rows.ts'
import { copyRow, type Rows } from './rows.ts'
import { allocateShard, SHARDS, shardOf, type StoredShard } from './shard-blob.ts'

/**
 * Fresh rows as sorted shards, one for each prefix; nothing is left of where they were. They are first dealt out and
 * then sorted within their shard, so that memory is gone through in order: a million rows would miss the cache else.
 */
export function dealOut(fresh: FreshRows, engines: number): StoredShard[] {
  const shards = Array.from(countByShard(fresh), (count) => allocateShard(count, engines))
  const next = new Uint32Array(SHARDS)
  for (const chunk of fresh.chunks) {
    for (let at = 0; at < chunk.count; at++) {
      const shard = shardOf(chunk.high[at] as number)
      const to = next[shard] as number
      copyRow(chunk, at, shards[shard] as Rows, to)
      next[shard] = to + 1
    }
    closeChunk(chunk)
  }
  shards.forEach(sortRows)
  return shards
}

function countByShard({ chunks }: FreshRows): Uint32Array {
  const counts = new Uint32Array(SHARDS)
  for (const { count, high } of chunks) {
    for (let at = 0; at < count; at++) {
      const shard = shardOf(high[at] as number)
      counts[shard] = (counts[shard] as number) + 1
    }
  }
  return counts
}

function sortRows(rows: StoredShard): void {
  const { count, engines, when, state } = rows
  const order = orderByHash(rows)
  for (const column of [rows.high, rows.low, rows.lastmod, rows.file]) arrange(column, order)
  for (let engine = 0; engine < engines; engine++) {
    arrange(when.subarray(engine * count, (engine + 1) * count), order)
    arrange(state.subarray(engine * count, (engine + 1) * count), order)
  }
}

function arrange(column: Uint32Array | Uint16Array | Uint8Array, order: Uint32Array): void {
  const before = column.slice()
  for (let to = 0; to < order.length; to++) column[to] = before[order[to] as number] as number
}

const ROW_LIMIT = 2 ** 29

// Sorting numbers without a comparison function is native and several times as fast: so the part of `high` that differs
// within a shard and the row's number are made one number of 53 bits.
function orderByHash({ count, high, low }: Rows): Uint32Array {
  const keys = new Float64Array(count)
  for (let at = 0; at < count; at++) {
    keys[at] = ((high[at] as number) & 0xff_ff_ff) * ROW_LIMIT + at
  }
  keys.sort()
  const order = new Uint32Array(count)
  for (let n = 0; n < count; n++) {
    const key = keys[n] as number
    const at = key - Math.floor(key / ROW_LIMIT) * ROW_LIMIT
    let to = n
    for (; to > 0; to--) {
      const before = order[to - 1] as number
      if (high[before] !== high[at] || (low[before] as number) < (low[at] as number)) break
      order[to] = before
    }
    order[to] = at
  }
  return order
}
