import { expect } from 'vitest'
import { hashUrl, plainOrigin, type PlainOrigin } from '../../../src/core/url-hash.ts'
import { openScan } from '../../../src/submit/sitemap/scan.ts'
import type { ScanEnd } from '../../../src/submit/sitemap/scan-state.ts'

export interface Scanned {
  readonly entries: readonly (readonly [loc: string, lastmod: number])[]
  readonly dropped: readonly (readonly [reason: string, value: string])[]
  readonly format: string | undefined
  readonly end: ScanEnd
}

/** What plain addresses of the documents begin with. */
const ORIGINS = ['https://a.example/', 'https://www.example.com/', 'https://example.com/']

/**
 * Scans a document that arrives in the given chunks, looking at each as soon as it is there; and once more with hashes,
 * where most of it is read in another way: what is found must be the same.
 */
export function scanChunks(chunks: Iterable<Uint8Array>): Scanned {
  const all = [...chunks]
  const { hashes: none, ...found } = scanOnce(all, [])
  const { hashes, ...foundToo } = scanOnce(all, ORIGINS.map(plainOrigin))
  expect(foundToo).toEqual(found)
  expect(none.every((half) => half === 0)).toBe(true)
  found.entries.forEach(([loc], i) => {
    const isHashed = hashes[2 * i] !== 0 || hashes[2 * i + 1] !== 0
    if (isHashed) expect(hashes.slice(2 * i, 2 * i + 2)).toEqual(hashOf(loc))
  })
  return found
}

function hashOf(url: string): number[] {
  const halves = new Uint32Array(2)
  hashUrl(url, halves)
  return [...halves]
}

function scanOnce(chunks: readonly Uint8Array[], origins: readonly PlainOrigin[]) {
  const entries: [string, number][] = []
  const dropped: [string, string][] = []
  const hashes: number[] = []
  const scan = openScan({
    atLeastBytes: 1,
    origins,
    onDrop: (reason, value) => dropped.push([reason, value]),
  })
  const gather = () => {
    const batch = scan.take()
    for (let i = 0; i < batch.count; i++) {
      entries.push([batch.locAt(i), batch.lastmods[i] as number])
    }
    hashes.push(...batch.hashes)
  }
  for (const chunk of chunks) {
    // What is not copied shows: the chunk is overwritten as soon as it was pushed.
    const reused = chunk.slice()
    scan.push(reused)
    reused.fill(0x21)
    gather()
  }
  const end = scan.end()
  gather()
  return { entries, dropped, format: scan.format(), end, hashes }
}

export function bytesOf(document: string | Uint8Array): Uint8Array {
  return typeof document === 'string' ? new TextEncoder().encode(document) : document
}

export const scanWhole = (document: string | Uint8Array) => scanChunks([bytesOf(document)])

export const scanBytewise = (document: string | Uint8Array) =>
  scanChunks([...bytesOf(document)].map((byte) => Uint8Array.of(byte)))

export function scanCutAt(document: string | Uint8Array, cut: number): Scanned {
  const bytes = bytesOf(document)
  return scanChunks([bytes.subarray(0, cut), bytes.subarray(cut)])
}

/** Seconds since 1970, as a sitemap's dates are kept. */
export const at = (date: string) => Date.parse(date) / 1_000
