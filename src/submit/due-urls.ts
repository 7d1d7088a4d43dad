import { unpackUrls } from '../core/ledger/url-list.ts'
import type { UrlChunk } from '../stores/ledger-store.ts'
import type { SiteLedger } from './site-ledger.ts'
import { type NewChunk, urlChunks } from './url-chunks.ts'

/** Of one chunk: as many URLs as one request to an engine holds. */
const CHUNK = 10_000

const LIST = /^due:(\d+):(\d+)$/

/** Engines as bits. */
export interface DueMasks {
  readonly due: number
  /** Of those, where it failed before. */
  readonly failed: number
}

/**
 * The URLs that a run has yet to send. They are many on a first run, so they wait in the store, in lists by the
 * engines they are due at; only unfinished chunks are in memory. The next run reads the sitemap again and makes
 * its own lists: what was sent by then is remembered in the ledger, not here.
 */
export interface DueUrls {
  add(url: string, due: number, failed: number): void
  /** Moves full chunks into the store: the last of them is packed and written while the next is gathered. */
  spill(): Promise<void>
  /** What is still in memory, for the change that ends the reading. */
  rest(): Promise<readonly NewChunk[]>
}

/** Starts with empty lists: those of an earlier run are dropped. A run that `goesOn` adds to its own. */
export async function openDueUrls(
  ledger: SiteLedger,
  { goesOn = false }: { readonly goesOn?: boolean } = {},
): Promise<DueUrls> {
  if (!goesOn) await dropDueUrls(ledger)
  const filling = new Map<string, DueMasks & { readonly urls: string[] }>()
  let spilling = Promise.resolve()
  return {
    add(url, due, failed) {
      const list = listOf({ due, failed })
      const known = filling.get(list)
      if (known) known.urls.push(url)
      else filling.set(list, { due, failed, urls: [url] })
    },
    async spill() {
      for (const { urls, ...masks } of filling.values()) {
        while (urls.length >= CHUNK) {
          const full = urls.splice(0, CHUNK)
          const before = spilling
          spilling = before.then(async () => {
            await ledger.write({ appendChunks: await dueChunks(full, masks) })
          })
          // Whoever spills next learns of a failure, or whoever wants the rest.
          spilling.catch(() => undefined)
          await before
        }
      }
    },
    async rest() {
      await spilling
      const parts = [...filling.values()].flatMap(({ urls, ...masks }) =>
        chunksOf(urls).map((chunk) => dueChunks(chunk, masks)),
      )
      return (await Promise.all(parts)).flat()
    },
  }
}

export function dueChunks(urls: readonly string[], masks: DueMasks): Promise<NewChunk[]> {
  return urlChunks(listOf(masks), urls)
}

function chunksOf(urls: readonly string[]): (readonly string[])[] {
  return Array.from({ length: Math.ceil(urls.length / CHUNK) }, (_, n) =>
    urls.slice(n * CHUNK, (n + 1) * CHUNK),
  )
}

export async function dropDueUrls(ledger: SiteLedger): Promise<void> {
  const lists = new Set((await ledger.chunks()).map(({ list }) => list))
  const dropLists = [...lists].filter((list) => LIST.test(list))
  if (dropLists.length > 0) await ledger.write({ dropLists })
}

export interface DueAtEngine {
  readonly total: number
  /** Those that failed before come first (SPEC S12). */
  readonly urls: AsyncIterable<readonly string[]>
}

export async function dueAtEngine(ledger: SiteLedger, engine: number): Promise<DueAtEngine> {
  const bit = 1 << engine
  const chunks = (await ledger.chunks()).filter((chunk) => (masksOf(chunk).due & bit) !== 0)
  const failedBefore = chunks.filter((chunk) => (masksOf(chunk).failed & bit) !== 0)
  const others = chunks.filter((chunk) => (masksOf(chunk).failed & bit) === 0)
  return {
    total: chunks.reduce((sum, { count }) => sum + count, 0),
    urls: read(ledger, [...failedBefore, ...others]),
  }
}

async function* read(ledger: SiteLedger, chunks: readonly UrlChunk[]) {
  for (const chunk of chunks) {
    const packed = await ledger.readChunk(chunk)
    if (packed) yield await unpackUrls(packed)
  }
}

function listOf({ due, failed }: DueMasks): string {
  return `due:${due}:${failed}`
}

function masksOf({ list }: UrlChunk): DueMasks {
  const [, due = 0, failed = 0] = LIST.exec(list) ?? []
  return { due: Number(due), failed: Number(failed) }
}
