import { DamagedLedger } from './damaged-ledger.ts'
import { isKnownState } from './url-state.ts'

/** What became of one URL of a batch. */
export interface Outcome {
  readonly high: number
  readonly low: number
  /** By `packState`. */
  readonly stateByte: number
  /** The lastmod that was sent, in seconds; without one, whatever the ledger knows is taken as sent. */
  readonly lastmod?: number
}

/** A batch that one engine answered. */
export interface BatchOutcomes {
  /** By its number at the site. */
  readonly engine: number
  readonly whenSeconds: number
  readonly entries: readonly Outcome[]
}

/**
 * Written after each batch instead of the shards it touches: 13 bytes per URL instead of megabytes. Little-endian:
 *
 *     u32 magic and version · u32 engine · u32 when · u32 entries · u32 high[] · u32 low[] · u32 lastmod[] · u8 state[]
 */
const MAGIC = 0x01_4f_4c_53 // "SLO", then the version
const HEADER_BYTES = 16
const ENTRY_BYTES = 13

export function packOutcomes({ engine, whenSeconds, entries }: BatchOutcomes): Uint8Array {
  const count = entries.length
  const bytes = new Uint8Array(HEADER_BYTES + count * ENTRY_BYTES)
  new Uint32Array(bytes.buffer, 0, 4).set([MAGIC, engine, whenSeconds, count])
  const { high, low, lastmod, state } = columnsOf(bytes, count)
  entries.forEach((entry, at) => {
    high[at] = entry.high
    low[at] = entry.low
    lastmod[at] = entry.lastmod ?? 0
    state[at] = entry.stateByte
  })
  return bytes
}

/** Whose answer it was, without looking at the rest; undefined for what is no such record. */
export function engineOfOutcomes(packed: Uint8Array): number | undefined {
  if (packed.length < HEADER_BYTES) return undefined
  return new DataView(packed.buffer, packed.byteOffset).getUint32(4, true)
}

/** The columns of a record, where they lie. */
export interface OutcomeColumns {
  readonly engine: number
  readonly whenSeconds: number
  readonly count: number
  readonly high: Uint32Array
  readonly low: Uint32Array
  readonly lastmod: Uint32Array
  readonly state: Uint8Array
}

export function viewOutcomes(packed: Uint8Array): OutcomeColumns {
  const bytes = packed.byteOffset % 4 === 0 ? packed : packed.slice()
  if (bytes.length < HEADER_BYTES) throw damaged(`${bytes.length} bytes are no header`)
  const header = new Uint32Array(bytes.buffer, bytes.byteOffset, 4)
  const [magic, engine = 0, whenSeconds = 0, count = 0] = header
  if (magic !== MAGIC) throw damaged('they do not begin as version 1 does')
  if (bytes.length !== HEADER_BYTES + count * ENTRY_BYTES) {
    throw damaged(`${count} entries do not make ${bytes.length} bytes`)
  }
  const columns = columnsOf(bytes, count)
  if (!columns.state.every(isKnownState)) throw damaged('a state is unknown')
  return { engine, whenSeconds, count, ...columns }
}

function columnsOf({ buffer, byteOffset }: Uint8Array, count: number) {
  const start = byteOffset + HEADER_BYTES
  return {
    high: new Uint32Array(buffer, start, count),
    low: new Uint32Array(buffer, start + count * 4, count),
    lastmod: new Uint32Array(buffer, start + count * 8, count),
    state: new Uint8Array(buffer, start + count * 12, count),
  }
}

function damaged(reason: string): DamagedLedger {
  return new DamagedLedger('outcomes', reason)
}
