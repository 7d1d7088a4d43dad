/**
 * What the ledger remembers of URLs, in columns: row `at` is one URL. Stored shards and rows yet to be stored have
 * the same shape, so that the hot path treats them alike.
 */
export interface Rows {
  count: number
  /** Rows there is room for. The columns of engine `e` start at `e * capacity` in `when` and `state`. */
  capacity: number
  /** How many engines have columns; what is asked of a later one is "unsent". */
  engines: number
  high: Uint32Array
  low: Uint32Array
  /** Seconds since the epoch; 0 is none. */
  lastmod: Uint32Array
  /** Seconds since the epoch of the last sending to each engine; 0 is never. */
  when: Uint32Array
  /** The sitemap file the URL was last seen in, by number; 0 is none. */
  file: Uint16Array
  /** One byte of `url-state.ts` per engine. */
  state: Uint8Array
}

export function stateAt(rows: Rows, at: number, engine: number): number {
  return engine < rows.engines ? (rows.state[engine * rows.capacity + at] as number) : 0
}

export function whenAt(rows: Rows, at: number, engine: number): number {
  return engine < rows.engines ? (rows.when[engine * rows.capacity + at] as number) : 0
}

/** Engines that the row has no columns for stay as they are in `target`. */
export function copyRow(source: Rows, at: number, target: Rows, to: number): void {
  target.high[to] = source.high[at] as number
  target.low[to] = source.low[at] as number
  target.lastmod[to] = source.lastmod[at] as number
  target.file[to] = source.file[at] as number
  for (let engine = 0; engine < source.engines; engine++) {
    const from = engine * source.capacity + at
    const place = engine * target.capacity + to
    target.when[place] = source.when[from] as number
    target.state[place] = source.state[from] as number
  }
}

/** Rows are sorted by hash: `high`, then `low`. */
export function isBefore(left: Rows, leftAt: number, right: Rows, rightAt: number): boolean {
  const leftHigh = left.high[leftAt] as number
  const rightHigh = right.high[rightAt] as number
  if (leftHigh !== rightHigh) return leftHigh < rightHigh
  return (left.low[leftAt] as number) < (right.low[rightAt] as number)
}
