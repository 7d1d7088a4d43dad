import { mapWithConcurrency } from '../core/concurrency.ts'
import { unpackUrls } from '../core/ledger/url-list.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { SiteLedger } from './site-ledger.ts'
import { detached } from './sitemap/entries.ts'
import { type NewChunk, urlChunks } from './url-chunks.ts'

const CHUNK = 10_000

/** What packs takes a quarter of a megabyte, and a site may have thousands of small files. */
const PACKED_AT_ONCE = 4
const LIST = /^pages:(\d+):(\d+)$/

/**
 * The addresses of a site's pages, kept only where deleted ones are to be submitted: the ledger knows a vanished
 * page by its hash, and a hash cannot be sent. One list per sitemap file and run: a file that did not change keeps
 * the list of the run that read it. A list left behind by a killed run does no harm, for they are only searched.
 */
export interface KnownPages {
  /** Whether the pages of this file are known. If not, it must be read even if it did not change. */
  has(file: number): boolean
  add(urls: readonly string[], file: number): void
  /** Moves full chunks into the store. */
  spill(): Promise<void>
  /** All that waits, for the change that ends a part of the reading. */
  rest(): Promise<readonly NewChunk[]>
  /** For the change that ends the reading. */
  finish(ask: PagesAsk): Promise<PagesChange>
}

export interface PagesAsk {
  /** Hashes of the pages that vanished. */
  readonly vanished: Uint32Array
  /** Whether what the file lists now is all that anybody may ask for: else its older list is still needed. */
  readonly isSettled: (file: number) => boolean
}

export interface PagesChange {
  /** The addresses of those vanished that are known. */
  readonly vanished: readonly string[]
  readonly appendChunks: readonly NewChunk[]
  readonly dropLists: readonly string[]
}

export async function openKnownPages(ledger: SiteLedger, fence: number): Promise<KnownPages> {
  const lists = await pageLists(ledger)
  const older = lists.filter((list) => list.fence !== fence)
  const known = new Set(older.map(({ file }) => file))
  // A run that goes on after a pause finds its own.
  const own = lists.filter((list) => list.fence === fence)
  const filling = new Map<number, string[]>(own.map(({ file }) => [file, []]))
  let waiting = 0
  const packAll = async (files: readonly (readonly [file: number, urls: readonly string[]])[]) => {
    const packed = await mapWithConcurrency(files, PACKED_AT_ONCE, ([file, urls]) =>
      urlChunks(listOf({ fence, file }), urls),
    )
    return packed.flat()
  }
  const takeAll = async () => {
    waiting = 0
    const full = [...filling].filter(([, urls]) => urls.length > 0)
    return packAll(full.map(([file, urls]) => [file, urls.splice(0)] as const))
  }
  return {
    has: (file) => known.has(file),
    add(urls, file) {
      const kept = urls.map(detached)
      const listed = filling.get(file)
      if (listed) listed.push(...kept)
      else filling.set(file, kept)
      waiting += kept.length
    },
    // By what waits in all: a site of many small files must not wait as a whole in memory.
    async spill() {
      if (waiting >= CHUNK) await ledger.write({ appendChunks: await takeAll() })
    },
    rest: takeAll,
    async finish({ vanished, isSettled }) {
      // One list per file stays: two of a file that is never settled would become many.
      const isKept = (file: number) => isSettled(file) || !known.has(file)
      const outdated = older.filter(({ file }) => filling.has(file) && isKept(file))
      const unwanted = [...filling.keys()].filter((file) => !isKept(file))
      const rest = [...filling].filter(([file, urls]) => urls.length > 0 && isKept(file))
      return {
        vanished: await findPages(ledger, vanished),
        appendChunks: await packAll(rest),
        dropLists: [...outdated, ...unwanted.map((file) => ({ fence, file }))].map(listOf),
      }
    },
  }
}

/** For a site that does not submit its deleted pages, or does so no more. */
export async function namesOfPageLists(ledger: SiteLedger): Promise<string[]> {
  return (await pageLists(ledger)).map(listOf)
}

interface PageList {
  readonly fence: number
  readonly file: number
}

async function pageLists(ledger: SiteLedger): Promise<PageList[]> {
  const names = new Set((await ledger.chunks()).map(({ list }) => list))
  return [...names].flatMap((name) => pageListOf(name) ?? [])
}

function listOf({ fence, file }: PageList): string {
  return `pages:${fence}:${file}`
}

function pageListOf(name: string): PageList | undefined {
  const [, fence, file] = LIST.exec(name) ?? []
  return fence && file ? { fence: Number(fence), file: Number(file) } : undefined
}

/** Searches all lists for the addresses that have these hashes. */
async function findPages(ledger: SiteLedger, hashes: Uint32Array): Promise<string[]> {
  const wanted = new Set<bigint>()
  for (let at = 0; at < hashes.length; at += 2) wanted.add(keyOf(hashes, at))
  const found: string[] = []
  for (const chunk of await ledger.chunks()) {
    if (wanted.size === 0) break
    if (!pageListOf(chunk.list)) continue
    const packed = await ledger.readChunk(chunk)
    const urls = packed ? await unpackUrls(packed) : []
    const theirs = hashesOf(urls)
    urls.forEach((url, i) => {
      if (wanted.delete(keyOf(theirs, 2 * i))) found.push(url)
    })
  }
  return found
}

function keyOf(hashes: Uint32Array, at: number): bigint {
  return (BigInt(hashes[at] as number) << 32n) | BigInt(hashes[at + 1] as number)
}
