import { describe, expect, it } from 'vitest'
import { hashUrl, plainOrigin } from '../../../src/core/url-hash.ts'
import type { EntryBatch } from '../../../src/submit/sitemap/entries.ts'
import { openScan } from '../../../src/submit/sitemap/scan.ts'
import { at, bytesOf } from './scan-document.ts'

const ORIGIN = 'https://a.example/'

const scanWithHashes = () =>
  openScan({ onDrop: () => undefined, origins: [plainOrigin(ORIGIN)], atLeastBytes: 1 })

const urlset = (...entries: readonly string[]) => `<urlset>\n${entries.join('')}</urlset>\n`
const entry = (loc: string) =>
  `  <url>\n    <loc>${loc}</loc>\n    <lastmod>2025-01-14</lastmod>\n  </url>\n`

const locsOf = ({ count, locAt }: EntryBatch) => Array.from({ length: count }, (_, i) => locAt(i))

function hashOf(url: string): number[] {
  const halves = new Uint32Array(2)
  hashUrl(url, halves)
  return [...halves]
}

describe('entries with hashes', () => {
  it('have that of every plain address of the origin, and none of others', () => {
    const scan = scanWithHashes()

    scan.push(
      bytesOf(
        urlset(
          entry(`${ORIGIN}plain?q=1`),
          entry(`${ORIGIN}with?a=1&amp;b=2`),
          entry(`\n      ${ORIGIN}among-blanks\n    `),
          entry(`${ORIGIN}%41`),
          entry(`${ORIGIN}a/../b`),
          entry('https://other.example/plain'),
          entry(`${ORIGIN}${'x'.repeat(3_000)}`),
        ),
      ),
    )
    const batch = scan.take()

    expect([...batch.hashes]).toEqual([
      ...hashOf(`${ORIGIN}plain?q=1`),
      ...hashOf(`${ORIGIN}with?a=1&b=2`),
      ...hashOf(`${ORIGIN}among-blanks`),
      ...Array.from({ length: 8 }, () => 0),
    ])
    expect(batch.locAt(1)).toBe(`${ORIGIN}with?a=1&b=2`)
  })

  it('are whole and in order, however many pieces a batch was read in', () => {
    const locs = Array.from({ length: 3_000 }, (_, n) =>
      n % 7 === 0 ? `${ORIGIN}${n}?a=1&amp;b=${n}` : `${ORIGIN}section-${n % 97}/article-${n}.html`,
    )
    const document = bytesOf(urlset(...locs.map(entry)))
    const scan = scanWithHashes()

    scan.push(document)
    const batch = scan.take()

    const expected = locs.map((loc) => loc.replace('&amp;', '&'))
    expect(locsOf(batch)).toEqual(expected)
    expect([...batch.hashes]).toEqual(expected.flatMap(hashOf))
    expect(new Set(batch.lastmods)).toEqual(new Set([at('2025-01-14')]))
  })

  it('are good until more is pushed, although they were taken', () => {
    const scan = scanWithHashes()
    const document = urlset(entry(`${ORIGIN}1`), entry(`${ORIGIN}2`), entry(`${ORIGIN}3`))
    const cut = document.indexOf('3</loc>')

    scan.push(bytesOf(document.slice(0, cut)))
    const first = scan.take()
    expect(locsOf(first)).toEqual([`${ORIGIN}1`, `${ORIGIN}2`])
    scan.push(bytesOf(document.slice(cut)))
    const second = scan.take()

    expect(locsOf(second)).toEqual([`${ORIGIN}3`])
    expect(scan.end()).toEqual({ kind: 'whole' })
  })

  it('do not keep a whole document from being known as one', () => {
    const scan = scanWithHashes()

    scan.push(bytesOf(urlset(entry(`${ORIGIN}1`), entry(`${ORIGIN}2?a&amp;b`)).trimEnd()))

    expect(scan.isOver()).toBe(true)
    expect(scan.take().count).toBe(2)
  })

  it('tell where a document is broken, to the line', () => {
    const scan = scanWithHashes()

    scan.push(bytesOf(urlset(entry(`${ORIGIN}1`), entry(`${ORIGIN}2`), '  < broken\n')))

    expect(scan.end()).toMatchObject({ kind: 'broken', line: 10, column: 3 })
  })
})
