import { DamagedLedger } from './damaged-ledger.ts'
import type { Rows } from './rows.ts'
import { isKnownState } from './url-state.ts'

/**
 * A shard at rest: all URLs of one hash prefix, sorted by hash. Little-endian, columns from wide to narrow, so that
 * each lies aligned and is used where it is:
 *
 *     u32 magic and version · u32 rows · u32 engines
 *     u32 high[] · u32 low[] · u32 lastmod[] · u32 when[] per engine · u16 file[] · u8 state[] per engine
 *
 * One engine: 19 bytes per URL. A shard written when there were fewer engines stays valid. No bytes: no URLs.
 * A big-endian machine reads another magic and refuses.
 */
const MAGIC = 0x01_47_4c_53 // "SLG", then the version
const HEADER_BYTES = 12

export const SHARDS = 256

export function shardOf(high: number): number {
  return high >>> 24
}

export interface StoredShard extends Rows {
  /** The columns' own memory, header included. */
  readonly bytes: Uint8Array
}

/** Views `bytes` without copying them, unless they lie unaligned. */
export function viewShard(
  bytes: Uint8Array,
  { shard, engines }: { shard: number; engines: number },
) {
  if (bytes.length === 0) return allocateShard(0, 0)
  const rows = viewColumns(bytes.byteOffset % 4 === 0 ? bytes : bytes.slice(), shard)
  if (rows.engines > engines) {
    throw damaged(shard, `it knows ${rows.engines} engines, the site only ${engines}`)
  }
  refuseDisorder(rows, shard)
  return rows
}

/** A shard of `count` rows of zeros, for the caller to fill in. */
export function allocateShard(count: number, engines: number): StoredShard {
  const bytes = new Uint8Array(shardBytes(count, engines))
  new Uint32Array(bytes.buffer, 0, 3).set([MAGIC, count, engines])
  return layOut(bytes, count, engines)
}

/** A copy with columns for `engines`. */
export function copyShard(shard: StoredShard, engines: number): StoredShard {
  const copy = allocateShard(shard.count, engines)
  copy.high.set(shard.high)
  copy.low.set(shard.low)
  copy.lastmod.set(shard.lastmod)
  copy.file.set(shard.file)
  // Columns per engine lie one after the other: the ones there are come first, those of new engines stay 0.
  copy.when.set(shard.when)
  copy.state.set(shard.state)
  return copy
}

function shardBytes(count: number, engines: number): number {
  return HEADER_BYTES + count * (3 * 4 + 2 + engines * 5)
}

function viewColumns(bytes: Uint8Array, shard: number): StoredShard {
  if (bytes.length < HEADER_BYTES) throw damaged(shard, `${bytes.length} bytes are no header`)
  const [magic, count = 0, engines = 0] = new Uint32Array(bytes.buffer, bytes.byteOffset, 3)
  if (magic !== MAGIC) throw damaged(shard, 'it does not begin as version 1 does')
  if (bytes.length !== shardBytes(count, engines)) {
    throw damaged(shard, `${count} rows and ${engines} engines do not make ${bytes.length} bytes`)
  }
  return layOut(bytes, count, engines)
}

function layOut(bytes: Uint8Array, count: number, engines: number): StoredShard {
  let offset = bytes.byteOffset + HEADER_BYTES
  const words = (length: number) => {
    const column = new Uint32Array(bytes.buffer, offset, length)
    offset += column.byteLength
    return column
  }
  const [high, low, lastmod, when] = [
    words(count),
    words(count),
    words(count),
    words(count * engines),
  ]
  const file = new Uint16Array(bytes.buffer, offset, count)
  const state = new Uint8Array(bytes.buffer, offset + file.byteLength, count * engines)
  return { count, capacity: count, engines, high, low, lastmod, when, file, state, bytes }
}

// The search trusts the order and the rules trust the states: rather refuse a shard than send a site's URLs again.
function refuseDisorder({ count, high, low, state }: StoredShard, shard: number): void {
  for (let at = 1; at < count; at++) {
    const h = high[at] as number
    const before = high[at - 1] as number
    if (h > before || (h === before && (low[at] as number) > (low[at - 1] as number))) continue
    throw damaged(shard, `row ${at} is out of order`)
  }
  // In order, all of them are the shard's if the first and the last are.
  if (
    count > 0 &&
    !(shardOf(high[0] as number) === shard && shardOf(high[count - 1] as number) === shard)
  ) {
    throw damaged(shard, 'it holds hashes of another shard')
  }
  for (let at = 0; at < state.length; at++) {
    if (!isKnownState(state[at] as number)) throw damaged(shard, 'a state is unknown')
  }
}

function damaged(shard: number, reason: string): DamagedLedger {
  return new DamagedLedger(`shard ${shard}`, reason)
}
