import { XMLParser } from 'fast-xml-parser'
import { SaxesParser } from 'saxes'
import { hashesInText, hashPlainText, type PlainOrigin } from '../../src/core/url-hash.ts'
import type { EntryBatch } from '../../src/submit/sitemap/entries.ts'
import { openScan } from '../../src/submit/sitemap/scan.ts'

/** What a reader hands over: a stretch of addresses, and their dates where it reads them. */
export type Take = (batch: EntryBatch) => void

/** Reads a document that comes in chunks; with origins, the addresses that begin with them are hashed. */
export type Reader = (
  chunks: readonly Uint8Array[],
  take: Take,
  origins: readonly PlainOrigin[],
) => void

/** All that are measured, in one isolate. The regex and the walk are allowed to be wrong. */
export const READERS = {
  sluice(chunks, take, origins) {
    const scan = openScan({ onDrop: () => undefined, origins })
    for (const chunk of chunks) {
      scan.push(chunk)
      take(scan.take())
    }
    scan.end()
    take(scan.take())
  },

  'an indexOf walk'(chunks, take, origins) {
    const decoder = new TextDecoder()
    let rest = ''
    for (const chunk of chunks) {
      const text = rest + decoder.decode(chunk, { stream: true })
      const locs: string[] = []
      let end = 0
      for (;;) {
        const from = text.indexOf('<loc>', end)
        const to = from < 0 ? -1 : text.indexOf('</loc>', from)
        if (to < 0) break
        locs.push(text.slice(from + 5, to))
        end = to
      }
      rest = text.slice(end)
      take(batchOf(locs, withoutDates(locs), origins))
    }
  },

  'a regex for <loc>'(chunks, take, origins) {
    const locs = Array.from(decoded(chunks).matchAll(/<loc>([^<]*)<\/loc>/g), ([, loc = '']) => loc)
    take(batchOf(locs, withoutDates(locs), origins))
  },

  saxes(chunks, take, origins) {
    const parser = new SaxesParser()
    const decoder = new TextDecoder()
    let [depth, field, loc, lastmod] = [0, '', '', '']
    let locs: string[] = []
    let lastmods: number[] = []
    const add = (text: string) => {
      if (depth !== 3) return
      if (field === 'loc') loc += text
      else if (field === 'lastmod') lastmod += text
    }
    parser.on('opentag', ({ name }) => {
      depth++
      if (depth === 3) field = name
    })
    parser.on('text', add)
    parser.on('cdata', add)
    parser.on('closetag', () => {
      depth--
      if (depth !== 1) return
      locs.push(loc)
      lastmods.push(secondsOf(lastmod))
      loc = ''
      lastmod = ''
    })
    for (const chunk of chunks) {
      parser.write(decoder.decode(chunk, { stream: true }))
      take(batchOf(locs, lastmods, origins))
      locs = []
      lastmods = []
    }
    parser.close()
    take(batchOf(locs, lastmods, origins))
  },

  'fast-xml-parser'(chunks, take, origins) {
    const { urlset } = new XMLParser().parse(decoded(chunks)) as {
      urlset: { url: readonly { loc: string; lastmod: string }[] }
    }
    const locs = urlset.url.map(({ loc }) => loc)
    const lastmods = urlset.url.map(({ lastmod }) => secondsOf(lastmod))
    take(batchOf(locs, lastmods, origins))
  },
} as const satisfies Record<string, Reader>

export type ReaderName = keyof typeof READERS

/** As the scanner hands it over, of what another reader found. */
function batchOf(
  locs: readonly string[],
  lastmods: readonly number[],
  origins: readonly PlainOrigin[],
): EntryBatch {
  const hashes = new Uint32Array(2 * locs.length)
  const inText = hashesInText(origins, hashes)
  if (origins.length > 0) locs.forEach((loc, i) => hashPlainText(loc, inText, 2 * i))
  return {
    count: locs.length,
    lastmods: Uint32Array.from(lastmods),
    hashes,
    locAt: (i) => locs[i] as string,
    // All of them are the site's own.
    move: () => undefined,
  }
}

const secondsOf = (lastmod: string) => (Date.parse(lastmod) || 0) / 1_000

const withoutDates = (locs: readonly string[]) => locs.map(() => 0)

function decoded(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
}
