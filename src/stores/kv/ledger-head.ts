import type { KnownSitemap, UrlChunk } from '../ledger-store.ts'

/**
 * What a site's ledger is made of at one moment. Everything it names is written under a new key and never changed, so
 * that one write of this value is the whole change or nothing, and nobody who reads it finds two changes mixed.
 */
export interface LedgerHead {
  readonly fence: number
  readonly engines: readonly string[]
  readonly sitemaps: readonly KnownSitemap[]
  /** The key of each pack of shards. */
  readonly packs: Readonly<Record<number, string>>
  readonly chunks: readonly KeptChunk[]
  readonly nextChunk: number
  /** Keys that nothing needs any more, and since when: whoever reads an older head needs them for a while. */
  readonly unused: readonly UnusedKey[]
}

export type KeptChunk = UrlChunk & {
  /** The key of a large one; a small one itself, in base64. */
  readonly key?: string
  readonly inline?: string
}

export interface UnusedKey {
  readonly key: string
  readonly since: number
}

export const NO_LEDGER: LedgerHead = {
  fence: 0,
  engines: [],
  sitemaps: [],
  packs: {},
  chunks: [],
  nextChunk: 1,
  unused: [],
}

/** Where most chunks of a quiet day are: a write saved. */
const MOST_INLINE_BYTES = 8 * 1024

export function isSmall(bytes: Uint8Array): boolean {
  return bytes.length <= MOST_INLINE_BYTES
}

export function toInline(bytes: Uint8Array): string {
  return btoa(String.fromCharCode(...bytes))
}

export function fromInline(text: string): Uint8Array {
  return Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
}

/** Every key that a head needs. */
export function keysOf({ packs, chunks }: LedgerHead): string[] {
  return [...Object.values(packs), ...chunks.flatMap(({ key }) => key ?? [])]
}
