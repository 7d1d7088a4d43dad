import type { Result } from '../core/result.ts'

/** What is remembered of a site's URLs, as `core/ledger` packs and reads it. */
export interface LedgerSnapshot {
  /** By number: the first is engine 0. */
  readonly engines: readonly string[]
  /** Shards that hold anything, by hash prefix (0–255). */
  readonly shards: ReadonlyMap<number, Uint8Array>
  /** Outcomes recorded since the shards were written, oldest first. */
  readonly outcomes: readonly Uint8Array[]
  /** Names the newest of `outcomes`; given back as `foldedThrough` once the shards contain them. */
  readonly outcomesThrough: number
}

/** A part of a list of URL strings. Lists exist only where URLs must be named again: failed, vanished, waiting. */
export interface UrlChunk {
  readonly list: string
  /** Grows within a list; chunks are read in this order. */
  readonly number: number
  readonly count: number
}

export interface LedgerChange {
  /** The fence of the run's lease. */
  readonly fence: number
  /** Whole shards, replacing what was there; an empty array forgets the shard. */
  readonly shards?: ReadonlyMap<number, Uint8Array>
  /** One batch's outcomes, kept beside the shards until they are folded in. */
  readonly outcomes?: Uint8Array
  /** The outcomes up to here are contained in `shards`. */
  readonly foldedThrough?: number
  readonly appendChunks?: readonly { list: string; count: number; urls: Uint8Array }[]
  readonly removeChunks?: readonly Pick<UrlChunk, 'list' | 'number'>[]
  readonly dropLists?: readonly string[]
}

/** A newer run has written to this ledger: the one that asks has lost its lease and must stop. */
export type FencedOut = { readonly kind: 'fenced-out'; readonly newerFence: number }

export interface LedgerStore {
  /**
   * The site's engines by number, `names` that are new added at the end.
   * A number is never changed nor given to another engine.
   */
  numberEngines(siteId: string, names: readonly string[]): Promise<readonly string[]>
  load(siteId: string): Promise<LedgerSnapshot>
  /** The same for one shard: enough to tell what happened to one URL. */
  loadShard(siteId: string, prefix: number): Promise<LedgerSnapshot>
  /** All of the change or nothing, durable when it returns; refused whole when a newer fence has written. */
  write(siteId: string, change: LedgerChange): Promise<Result<void, FencedOut>>
  chunks(siteId: string, list: string): Promise<readonly UrlChunk[]>
  readChunk(
    siteId: string,
    chunk: Pick<UrlChunk, 'list' | 'number'>,
  ): Promise<Uint8Array | undefined>
}
