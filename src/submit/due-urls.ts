import { addUrl, noUrlLines, type UrlLines } from '../core/ledger/url-lines.ts'
import { unpackUrls } from '../core/ledger/url-list.ts'
import type { UrlChunk } from '../stores/ledger-store.ts'
import type { SiteLedger } from './site-ledger.ts'
import { lineChunks, type NewChunk, urlChunks } from './url-chunks.ts'

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
  const lists = new Map<string, DueList>()
  const written: UrlLines[] = []
  let spilling = Promise.resolve()
  const write = async ({ masks }: DueList, lines: UrlLines) => {
    await ledger.write({ appendChunks: await lineChunks(listOf(masks), lines) })
    written.push(lines)
  }
  /** Memory that is used again: a first day fills a hundred chunks. */
  const emptyLines = () => {
    const lines = written.pop()
    return lines ? Object.assign(lines, { count: 0, length: 0 }) : noUrlLines()
  }
  let last: DueList | undefined
  /** Most often that of the URL before. */
  const listFor = (due: number, failed: number) => {
    if (last?.masks.due === due && last.masks.failed === failed) return last
    const name = listOf({ due, failed })
    last = lists.get(name) ?? { masks: { due, failed }, full: [], filling: emptyLines() }
    lists.set(name, last)
    return last
  }
  return {
    add(url, due, failed) {
      const list = listFor(due, failed)
      addUrl(list.filling, url)
      if (list.filling.count < CHUNK) return
      list.full.push(list.filling)
      list.filling = emptyLines()
    },
    async spill() {
      for (const list of lists.values()) {
        for (let lines = list.full.shift(); lines; lines = list.full.shift()) {
          const [before, next] = [spilling, lines]
          spilling = before.then(() => write(list, next))
          // Whoever spills next learns of a failure, or whoever wants the rest.
          spilling.catch(() => undefined)
          await before
        }
      }
    },
    async rest() {
      await spilling
      const parts = [...lists.values()].flatMap(({ masks, full, filling }) =>
        [...full, filling]
          .filter(({ count }) => count > 0)
          .map((lines) => lineChunks(listOf(masks), lines)),
      )
      return (await Promise.all(parts)).flat()
    },
  }
}

interface DueList {
  readonly masks: DueMasks
  /** Chunks that wait to be written. */
  readonly full: UrlLines[]
  filling: UrlLines
}

export function dueChunks(urls: readonly string[], masks: DueMasks): Promise<NewChunk[]> {
  return urlChunks(listOf(masks), urls)
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
