import { free } from './free.ts'
import type { Rows } from './rows.ts'

/** Rows of all shards in the order they came, found by a table of their own until they are sorted in. */
export interface FreshRows {
  count: number
  /** Row `n` is row `n & CHUNK_MASK` of chunk `n >>> CHUNK_BITS`: so nothing is copied when there are more. */
  readonly chunks: FreshChunk[]
  /**
   * Open addressing by the low bits of `low`. A place holds the row's number plus one, or 0 where it is free; and in the
   * bits that this leaves, the high bits of `low`: so looking for a URL that is not there touches hardly any row.
   */
  places: Uint32Array
}

export interface FreshChunk extends Rows {
  /** Whether the reading under way came by this row. */
  readonly judged: Uint8Array
}

const CHUNK_BITS = 14
export const CHUNK_MASK = 2 ** CHUNK_BITS - 1

const FIRST_PLACES = 64
// The table is at most two thirds full: a search ends within its first cache line, nearly always.
const PLACES_PER_ROW = 1.5

export function openFreshRows(): FreshRows {
  return { count: 0, chunks: [], places: new Uint32Array(FIRST_PLACES) }
}

export function chunkOf({ chunks }: FreshRows, row: number): FreshChunk {
  return chunks[row >>> CHUNK_BITS] as FreshChunk
}

/** The row of a hash, or -1. */
export function findFresh(fresh: FreshRows, high: number, low: number): number {
  const { places } = fresh
  const mask = places.length - 1
  for (let at = low & mask; ; at = (at + 1) & mask) {
    const place = places[at] as number
    if (place === 0) return -1
    // The bits of `low` above the mask, and nothing below it.
    if (((place ^ low) & ~mask) !== 0) continue
    const row = (place & mask) - 1
    const chunk = chunkOf(fresh, row)
    if (chunk.low[row & CHUNK_MASK] === low && chunk.high[row & CHUNK_MASK] === high) return row
  }
}

/** Adds a row of zeros for a hash that is not there yet. */
export function appendFresh(fresh: FreshRows, high: number, low: number): number {
  const row = fresh.count++
  if ((row & CHUNK_MASK) === 0) fresh.chunks.push(openChunk())
  const chunk = chunkOf(fresh, row)
  chunk.count++
  chunk.high[row & CHUNK_MASK] = high
  chunk.low[row & CHUNK_MASK] = low
  if (fresh.count * PLACES_PER_ROW > fresh.places.length) extendPlaces(fresh)
  else takePlace(fresh, row)
  return row
}

/** Gives a chunk columns for `engines`: it has none until something is known of an engine. */
export function widenChunk(chunk: Rows, engines: number): void {
  chunk.engines = engines
  chunk.when = new Uint32Array(chunk.capacity * engines)
  chunk.state = new Uint8Array(chunk.capacity * engines)
}

/** Ends the finding, for the memory it takes: the rows can still be read. */
export function closePlaces({ places }: FreshRows): void {
  free(places)
}

/** Ends a chunk, for the memory it takes. */
export function closeChunk(chunk: FreshChunk): void {
  const { high, low, lastmod, when, file, state, judged } = chunk
  for (const column of [high, low, lastmod, when, file, state, judged]) free(column)
}

function openChunk(): FreshChunk {
  const capacity = 2 ** CHUNK_BITS
  return {
    count: 0,
    capacity,
    engines: 0,
    high: new Uint32Array(capacity),
    low: new Uint32Array(capacity),
    lastmod: new Uint32Array(capacity),
    when: new Uint32Array(0),
    file: new Uint16Array(capacity),
    state: new Uint8Array(0),
    judged: new Uint8Array(capacity),
  }
}

function takePlace(fresh: FreshRows, row: number): void {
  const { places } = fresh
  const mask = places.length - 1
  const low = chunkOf(fresh, row).low[row & CHUNK_MASK] as number
  let at = low & mask
  while (places[at] !== 0) at = (at + 1) & mask
  places[at] = (low & ~mask) | (row + 1)
}

function extendPlaces(fresh: FreshRows): void {
  fresh.places = new Uint32Array(fresh.places.length * 2)
  for (let row = 0; row < fresh.count; row++) takePlace(fresh, row)
}
