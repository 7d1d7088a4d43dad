import type { JsonObject } from '../core/json.ts'
import type { Result } from '../core/result.ts'

/** The name under which a ledger numbers Bing's channel among the engines. */
export const BING_ENGINE = 'bing-webmaster'

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
  /** By number. */
  readonly sitemaps: readonly KnownSitemap[]
}

/** A sitemap file that was read before. */
export interface KnownSitemap {
  /** From 1, the same for as long as the site is known; ledger entries refer to it. */
  readonly number: number
  readonly url: string
  /** What the reader wants to be told the next time, to ask whether the file has changed. */
  readonly memory?: JsonObject
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
  /** The recorded outcomes up to here are contained in `shards`. */
  readonly foldedThrough?: number
  /** Added, or replaced by number. */
  readonly sitemaps?: readonly KnownSitemap[]
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
  /**
   * Keeps one batch's outcomes beside the shards until they are folded in. No fence: what an engine accepted is
   * accepted, whoever sent it, and outcomes only add to what is known.
   */
  record(siteId: string, outcomes: Uint8Array): Promise<void>
  /** All of the change or nothing, durable when it returns; refused whole when a newer fence has written. */
  write(siteId: string, change: LedgerChange): Promise<Result<void, FencedOut>>
  /** The chunks of all lists, in the order they were appended. */
  chunks(siteId: string): Promise<readonly UrlChunk[]>
  readChunk(
    siteId: string,
    chunk: Pick<UrlChunk, 'list' | 'number'>,
  ): Promise<Uint8Array | undefined>
}
