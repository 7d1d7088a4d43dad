import type { Rows } from './rows.ts'

/** Rows of all shards in the order they came, found by a table of their own until they are sorted in. */
export interface FreshRows extends Rows {
  /** Whether the reading under way came by this row. */
  judged: Uint8Array
  /**
   * Open addressing, two words a place: the low half of the hash, and the row's number plus one, 0 where it is free.
   * The hash stands here too, so that looking for a URL that is not there touches no row.
   */
  places: Uint32Array
}

const FIRST_CAPACITY = 64
const GROWTH = 1.5
const PLACE_WORDS = 2
// The table is at most two thirds full: a search ends within its first cache line, nearly always.
const PLACES_PER_ROW = 1.5

export function openFreshRows(): FreshRows {
  return {
    count: 0,
    capacity: 0,
    engines: 0,
    high: new Uint32Array(0),
    low: new Uint32Array(0),
    lastmod: new Uint32Array(0),
    when: new Uint32Array(0),
    file: new Uint16Array(0),
    state: new Uint8Array(0),
    judged: new Uint8Array(0),
    places: new Uint32Array(PLACE_WORDS),
  }
}

/** The row of a hash, or -1. */
export function findFresh(rows: FreshRows, high: number, low: number): number {
  return (rows.places[placeOf(rows, high, low) + 1] as number) - 1
}

/** Adds a row of zeros for a hash that is not there yet. */
export function appendFresh(rows: FreshRows, high: number, low: number): number {
  if (rows.count === rows.capacity) extendRows(rows)
  const at = rows.count++
  rows.high[at] = high
  rows.low[at] = low
  if (rows.count * PLACES_PER_ROW * PLACE_WORDS > rows.places.length) extendPlaces(rows)
  else takePlace(rows, at)
  return at
}

/** Gives every row columns for `engines`: a row has none until something is known of an engine. */
export function widenFresh(rows: FreshRows, engines: number): void {
  rows.engines = engines
  rows.when = new Uint32Array(rows.capacity * engines)
  rows.state = new Uint8Array(rows.capacity * engines)
}

/** Where the hash is, or the free place where it would be. */
function placeOf({ places, high: highs }: FreshRows, high: number, low: number): number {
  const mask = places.length - PLACE_WORDS
  let place = (low * PLACE_WORDS) & mask
  for (;;) {
    const at = (places[place + 1] as number) - 1
    if (at < 0 || (places[place] === low && highs[at] === high)) return place
    place = (place + PLACE_WORDS) & mask
  }
}

function takePlace(rows: FreshRows, at: number): void {
  const low = rows.low[at] as number
  const place = placeOf(rows, rows.high[at] as number, low)
  rows.places[place] = low
  rows.places[place + 1] = at + 1
}

function extendPlaces(rows: FreshRows): void {
  rows.places = new Uint32Array(rows.places.length * 2)
  for (let at = 0; at < rows.count; at++) takePlace(rows, at)
}

function extendRows(rows: FreshRows): void {
  const { capacity, engines, when, state } = rows
  const wider = Math.max(FIRST_CAPACITY, Math.ceil(capacity * GROWTH))
  rows.capacity = wider
  rows.high = extended(rows.high, new Uint32Array(wider))
  rows.low = extended(rows.low, new Uint32Array(wider))
  rows.lastmod = extended(rows.lastmod, new Uint32Array(wider))
  rows.file = extended(rows.file, new Uint16Array(wider))
  rows.judged = extended(rows.judged, new Uint8Array(wider))
  widenFresh(rows, engines)
  for (let engine = 0; engine < engines; engine++) {
    const [from, to] = [engine * capacity, (engine + 1) * capacity]
    rows.when.set(when.subarray(from, to), engine * wider)
    rows.state.set(state.subarray(from, to), engine * wider)
  }
}

function extended<Column extends Uint32Array | Uint16Array | Uint8Array>(from: Column, to: Column) {
  to.set(from)
  return to
}
