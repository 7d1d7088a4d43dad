import { DamagedLedger } from './damaged-ledger.ts'
import { dueEngines, isSettled, MAX_ENGINES, takeNewerLastmod, type DueRule } from './due.ts'
import { CHUNK_MASK, chunkOf, findFresh, openFreshRows } from './fresh-rows.ts'
import type { ReadingSettings } from './judge.ts'
import { encodeChanges, findOrAdd, foundNothing, prepareToChange, shardAt } from './ledger-rows.ts'
import type { FoundRow, LedgerRows } from './ledger-rows.ts'
import { viewOutcomes, type OutcomeColumns } from './outcomes.ts'
import { disturb, firstRowOf } from './reading-index.ts'
import { openReading, type Reading } from './reading.ts'
import { stateAt, whenAt, type Rows } from './rows.ts'
import { SHARDS, shardOf } from './shard-blob.ts'
import { findStored, openShard } from './shard.ts'
import { CHANGED, unpackState, withState, type UrlState } from './url-state.ts'

/** What is stored of a site's URLs. The shards are worked on where they lie: their bytes become the ledger's own. */
export interface LedgerBytes {
  /** By number: the first is engine 0. At most 31; Bing's webmaster channel counts as one. */
  readonly engines: readonly string[]
  /** By hash prefix, 0 to 255. */
  readonly shards: ReadonlyMap<number, Uint8Array>
  /** Records of `packOutcomes` since the shards were written, oldest first. */
  readonly outcomes: readonly Uint8Array[]
}

/** What is known of a URL at one engine. */
export interface EngineRecord {
  readonly engine: string
  readonly state: UrlState
  /** When it was last sent there, or taken as baseline; undefined when never. */
  readonly whenSeconds: number | undefined
  readonly statusCode: number | undefined
}

export interface UrlRecord {
  readonly lastmodSeconds: number | undefined
  /** The sitemap file that listed it last; 0 for none. */
  readonly file: number
  readonly engines: readonly EngineRecord[]
}

/** What a site remembers of its URLs: which are known, and what became of each at each engine. */
export interface Ledger {
  /** How many URLs are known. */
  count(): number
  lookUp(high: number, low: number): UrlRecord | undefined
  /** The numbers of the files that list a URL which is due: they must be read even if they did not change (SPEC S07). */
  dueFiles(rule: DueRule): Set<number>
  /** Starts a walk through the sitemap; one that was not finished is abandoned, what it noted is kept. */
  openReading(settings: ReadingSettings): Reading
  /** Applies a record of `packOutcomes`, exactly as opening a ledger with it would. */
  record(outcomes: Uint8Array): void
  /** The shards that differ from what is stored, with all outcomes in them: to be stored, and the outcomes dropped. */
  fold(): ReadonlyMap<number, Uint8Array>
}

export function openLedger({ engines, shards, outcomes }: LedgerBytes): Ledger {
  if (engines.length > MAX_ENGINES) {
    throw new RangeError(`A site has at most ${MAX_ENGINES} engines, not ${engines.length}.`)
  }
  const ledger: LedgerRows = {
    engines: engines.length,
    shards: Array.from({ length: SHARDS }, (_, shard) =>
      openShard(shards.get(shard) ?? new Uint8Array(0), { shard, engines: engines.length }),
    ),
    fresh: openFreshRows(),
    index: undefined,
  }
  for (const packed of outcomes) applyOutcomes(ledger, viewOutcomes(packed))

  return {
    count: () => partsOf(ledger).reduce((sum, { count }) => sum + count, 0),
    lookUp: (high, low) => lookUp(ledger, { high, low, engines }),
    dueFiles: (rule) => dueFiles(ledger, rule),
    openReading: (settings) => openReading(ledger, settings),
    record: (packed) => applyOutcomes(ledger, viewOutcomes(packed)),
    fold: () => {
      if (ledger.index) throw new Error('A reading is under way: finish it, that folds too.')
      return encodeChanges(ledger)
    },
  }
}

function partsOf({ shards, fresh }: LedgerRows): Rows[] {
  return [...shards.map(({ stored }) => stored), ...fresh.chunks]
}

function applyOutcomes(ledger: LedgerRows, batch: OutcomeColumns): void {
  if (batch.engine >= ledger.engines) {
    throw new DamagedLedger('outcomes', `the site has no engine ${batch.engine}`)
  }
  const { index } = ledger
  const found = foundNothing(ledger)
  for (let n = 0; n < batch.count; n++) {
    const high = batch.high[n] as number
    findOrAdd(ledger, high, batch.low[n] as number, found)
    prepareToChange(ledger, found)
    applyOutcome(found, batch, n)
    if (index && found.shard) disturb(index, firstRowOf(index, shardOf(high)) + found.at)
  }
}

function applyOutcome({ rows, at }: FoundRow, batch: OutcomeColumns, n: number): void {
  const sent = batch.lastmod[n] as number
  const known = rows.lastmod[at] as number
  const byte = batch.state[n] as number
  if (sent > known) takeNewerLastmod(rows, at, sent)
  // The page changed while the batch was under way: what was settled is an older page.
  const isOutdated = sent > 0 && sent < known && isSettled(byte)
  const place = batch.engine * rows.capacity + at
  rows.state[place] = isOutdated ? withState(byte, CHANGED) : byte
  rows.when[place] = batch.whenSeconds
}

function dueFiles(ledger: LedgerRows, rule: DueRule): Set<number> {
  const isDue = new Uint8Array(2 ** 16)
  for (const rows of partsOf(ledger)) {
    for (let at = 0; at < rows.count; at++) {
      const file = rows.file[at] as number
      if (isDue[file] === 0 && dueEngines(rows, at, rule) !== 0) isDue[file] = 1
    }
  }
  const files = new Set<number>()
  for (let file = 1; file < isDue.length; file++) if (isDue[file] === 1) files.add(file)
  return files
}

interface LookUp {
  readonly high: number
  readonly low: number
  readonly engines: readonly string[]
}

function lookUp(ledger: LedgerRows, { high, low, engines }: LookUp): UrlRecord | undefined {
  const { stored } = shardAt(ledger, high)
  const at = findStored(stored, high, low)
  if (at >= 0) return recordAt(stored, at, engines)
  const row = findFresh(ledger.fresh, high, low)
  return row >= 0 ? recordAt(chunkOf(ledger.fresh, row), row & CHUNK_MASK, engines) : undefined
}

function recordAt(rows: Rows, at: number, engines: readonly string[]): UrlRecord {
  return {
    lastmodSeconds: rows.lastmod[at] || undefined,
    file: rows.file[at] as number,
    engines: engines.map((engine, number) => ({
      engine,
      ...unpackState(stateAt(rows, at, number)),
      whenSeconds: whenAt(rows, at, number) || undefined,
    })),
  }
}
