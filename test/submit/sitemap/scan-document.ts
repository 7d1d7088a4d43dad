import { openScan } from '../../../src/submit/sitemap/scan.ts'
import type { ScanEnd } from '../../../src/submit/sitemap/scan-state.ts'

export interface Scanned {
  readonly entries: readonly (readonly [loc: string, lastmod: number])[]
  readonly dropped: readonly (readonly [reason: string, value: string])[]
  readonly format: string | undefined
  readonly end: ScanEnd
}

/** Scans a document that arrives in the given chunks, looking at each as soon as it is there. */
export function scanChunks(chunks: Iterable<Uint8Array>): Scanned {
  const entries: [string, number][] = []
  const dropped: [string, string][] = []
  const scan = openScan({
    atLeastBytes: 1,
    onDrop: (reason, value) => dropped.push([reason, value]),
  })
  const gather = () => {
    const { locs, lastmods } = scan.take()
    locs.forEach((loc, i) => entries.push([loc, lastmods[i] as number]))
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
  return { entries, dropped, format: scan.format(), end }
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
