import { DamagedLedger } from '../../core/ledger/damaged-ledger.ts'

/** A KV write costs the same for 10 bytes and for 10 MB, and there are 1,000 a day: 256 shards are kept in 16 values. */
const SHARDS_IN_A_PACK = 16

export type Shards = ReadonlyMap<number, Uint8Array>

export function packOf(prefix: number): number {
  return Math.floor(prefix / SHARDS_IN_A_PACK)
}

const HEADER_BYTES = 5

/** For each shard: u8 prefix · u32 length, little-endian · its bytes. */
export function joinShards(shards: Shards): Uint8Array {
  const parts = [...shards].filter(([, shard]) => shard.length > 0)
  const length = parts.reduce((sum, [, shard]) => sum + HEADER_BYTES + shard.length, 0)
  const bytes = new Uint8Array(length)
  const view = new DataView(bytes.buffer)
  let at = 0
  for (const [prefix, shard] of parts) {
    view.setUint8(at, prefix)
    view.setUint32(at + 1, shard.length, true)
    bytes.set(shard, at + HEADER_BYTES)
    at += HEADER_BYTES + shard.length
  }
  return bytes
}

export function splitShards(bytes: Uint8Array): Map<number, Uint8Array> {
  const shards = new Map<number, Uint8Array>()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  while (at < bytes.length) {
    const end =
      at + HEADER_BYTES <= bytes.length ? at + HEADER_BYTES + view.getUint32(at + 1, true) : -1
    if (end < 0 || end > bytes.length) throw new DamagedLedger('pack', 'it is cut short')
    // A copy: whoever keeps one shard must not hold the whole pack.
    shards.set(view.getUint8(at), bytes.slice(at + HEADER_BYTES, end))
    at = end
  }
  return shards
}
