import { packUrls, unpackUrls } from '../core/ledger/url-list.ts'
import type { NewChunk } from './due-urls.ts'
import { hashesOf } from './settle-outcomes.ts'
import type { SiteLedger } from './site-ledger.ts'

const CHUNK = 10_000
const LIST = /^pages:(\d+):(\d+)$/

/**
 * The addresses of a site's pages, kept only where deleted ones are to be submitted: the ledger knows a vanished
 * page by its hash, and a hash cannot be sent. One list per sitemap file and run: a file that did not change keeps
 * the list of the run that read it. A list left behind by a killed run does no harm, for they are only searched.
 */
export interface KnownPages {
  add(urls: readonly string[], file: number): void
  /** Moves full chunks into the store. */
  spill(): Promise<void>
  /** For the change that ends the reading. */
  finish(ask: { complete: boolean; vanished: Uint32Array }): Promise<PagesChange>
}

export interface PagesChange {
  /** The addresses of those vanished that are known. */
  readonly vanished: readonly string[]
  readonly appendChunks: readonly NewChunk[]
  readonly dropLists: readonly string[]
}

export function openKnownPages(ledger: SiteLedger, fence: number): KnownPages {
  const filling = new Map<number, string[]>()
  const read = new Set<number>()
  const pack = async (file: number, urls: readonly string[]) => ({
    list: `pages:${fence}:${file}`,
    count: urls.length,
    urls: await packUrls(urls),
  })
  const outdated = async (isOutdated: (list: ListName) => boolean) => {
    const lists = new Set((await ledger.chunks()).map(({ list }) => list))
    return [...lists].filter((list) => {
      const name = nameOf(list)
      return name !== undefined && isOutdated(name)
    })
  }
  return {
    add(urls, file) {
      read.add(file)
      const known = filling.get(file)
      if (known) known.push(...urls)
      else filling.set(file, [...urls])
    },
    async spill() {
      for (const [file, urls] of filling) {
        while (urls.length >= CHUNK) {
          await ledger.write({ appendChunks: [await pack(file, urls.splice(0, CHUNK))] })
        }
      }
    },
    async finish({ complete, vanished }) {
      if (!complete) {
        const dropLists = await outdated((list) => list.fence === fence)
        return { vanished: [], appendChunks: [], dropLists }
      }
      const dropLists = await outdated((list) => list.fence !== fence && read.has(list.file))
      const rest = [...filling].filter(([, urls]) => urls.length > 0)
      const appendChunks = await Promise.all(rest.map(([file, urls]) => pack(file, urls)))
      return { vanished: await findPages(ledger, vanished), appendChunks, dropLists }
    },
  }
}

interface ListName {
  readonly fence: number
  readonly file: number
}

function nameOf(list: string): ListName | undefined {
  const [, fence, file] = LIST.exec(list) ?? []
  return fence && file ? { fence: Number(fence), file: Number(file) } : undefined
}

/** Searches all lists for the addresses that have these hashes. */
async function findPages(ledger: SiteLedger, hashes: Uint32Array): Promise<string[]> {
  const wanted = new Set<bigint>()
  for (let at = 0; at < hashes.length; at += 2) wanted.add(keyOf(hashes, at))
  const found: string[] = []
  for (const chunk of await ledger.chunks()) {
    if (wanted.size === 0) break
    if (!nameOf(chunk.list)) continue
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
