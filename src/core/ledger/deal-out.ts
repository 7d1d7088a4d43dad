import { closeChunk, type FreshRows } from './fresh-rows.ts'
import { copyRow, isBefore, type Rows } from './rows.ts'
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

/**
 * The rows' numbers, sorted by hash. Hashes are spread evenly, so where one belongs follows from its value but for a few
 * places: rows are put there, and what is left to do is to sort among neighbours.
 */
function orderByHash(rows: Rows): Uint32Array {
  const { count, high } = rows
  const placeOf = (at: number) => (((high[at] as number) & 0xff_ff_ff) * (count / 2 ** 24)) | 0
  const next = new Uint32Array(count + 1)
  for (let at = 0; at < count; at++) {
    const after = placeOf(at) + 1
    next[after] = (next[after] as number) + 1
  }
  for (let n = 0; n < count; n++) next[n + 1] = (next[n + 1] as number) + (next[n] as number)
  const order = new Uint32Array(count)
  for (let at = 0; at < count; at++) {
    const place = placeOf(at)
    const to = next[place] as number
    order[to] = at
    next[place] = to + 1
  }
  for (let n = 1; n < count; n++) sink(order, n, rows)
  return order
}

/** Moves the row at `n` down to where it belongs among those before it, which are sorted. */
function sink(order: Uint32Array, n: number, rows: Rows): void {
  const at = order[n] as number
  let to = n
  for (; to > 0 && isBefore(rows, at, rows, order[to - 1] as number); to--) {
    order[to] = order[to - 1] as number
  }
  order[to] = at
}
