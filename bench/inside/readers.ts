import { XMLParser } from 'fast-xml-parser'
import { SaxesParser } from 'saxes'
import { openScan } from '../../src/submit/sitemap/scan.ts'

/** What a reader hands over: a stretch of addresses, and their dates in seconds where it reads them. */
export type Take = (locs: readonly string[], lastmods: readonly number[]) => void

/** Reads a document that comes in chunks. */
export type Reader = (chunks: readonly Uint8Array[], take: Take) => void

/** All that are measured, in one isolate. The regex and the walk are allowed to be wrong. */
export const READERS = {
  sluice(chunks, take) {
    const scan = openScan({ onDrop: () => undefined })
    const handOver = () => {
      const { locs, lastmods } = scan.take()
      take(locs, lastmods)
    }
    for (const chunk of chunks) {
      scan.push(chunk)
      handOver()
    }
    scan.end()
    handOver()
  },

  'an indexOf walk'(chunks, take) {
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
      take(locs, withoutDates(locs))
    }
  },

  'a regex for <loc>'(chunks, take) {
    const locs = Array.from(decoded(chunks).matchAll(/<loc>([^<]*)<\/loc>/g), ([, loc = '']) => loc)
    take(locs, withoutDates(locs))
  },

  saxes(chunks, take) {
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
      take(locs, lastmods)
      locs = []
      lastmods = []
    }
    parser.close()
    take(locs, lastmods)
  },

  'fast-xml-parser'(chunks, take) {
    const { urlset } = new XMLParser().parse(decoded(chunks)) as {
      urlset: { url: readonly { loc: string; lastmod: string }[] }
    }
    take(
      urlset.url.map(({ loc }) => loc),
      urlset.url.map(({ lastmod }) => secondsOf(lastmod)),
    )
  },
} as const satisfies Record<string, Reader>

export type ReaderName = keyof typeof READERS

const secondsOf = (lastmod: string) => (Date.parse(lastmod) || 0) / 1_000

const withoutDates = (locs: readonly string[]) => locs.map(() => 0)

function decoded(chunks: readonly Uint8Array[]): string {
  const decoder = new TextDecoder()
  return chunks.map((chunk) => decoder.decode(chunk, { stream: true })).join('')
}
