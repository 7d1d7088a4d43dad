import { describe, expect, it } from 'vitest'
import { openScan } from '../../../src/submit/sitemap/scan.ts'
import { bytesOf } from './scan-document.ts'

describe('what is too long', () => {
  const scanRepeated = (before: string, repeated: string, times: number, after: string) => {
    const dropped: [string, number][] = []
    const scan = openScan({ onDrop: (reason, value) => dropped.push([reason, value.length]) })
    const piece = bytesOf(repeated)
    scan.push(bytesOf(before))
    for (let i = 0; i < times; i++) scan.push(piece)
    scan.push(bytesOf(after))
    const end = scan.end()
    const { count, locAt } = scan.take()
    return { dropped, locs: Array.from({ length: count }, (_, i) => locAt(i)), end }
  }
  const rest = '<url><loc>https://a.example/2</loc></url></urlset>'
  const megabyte = 'a'.repeat(1_000)

  it.each([
    ['a loc', '<urlset><url><loc>https://a.example/', `</loc></url>${rest}`],
    ['a section', '<urlset><url><loc><![CDATA[https://a.example/', `]]></loc></url>${rest}`],
  ])('%s is dropped and counted, not kept in memory', (_, before, after) => {
    expect(scanRepeated(before, megabyte, 1_000, after)).toEqual({
      dropped: [['too-long', 200]],
      locs: ['https://a.example/2'],
      end: { kind: 'whole' },
    })
  })

  it.each([
    ['a comment', '<urlset><!--', `-->${rest}`],
    ['an instruction', '<urlset><?x ', `?>${rest}`],
    [
      'a text that nobody reads',
      '<urlset><url><loc>https://a.example/1</loc><t>',
      `</t></url>${rest}`,
    ],
    ['an attribute', '<urlset><url><loc>https://a.example/1</loc><t a="', `>"/></url>${rest}`],
    [
      'the attribute of an element with content',
      '<urlset><url><loc>https://a.example/1</loc><t a="',
      `>"></t></url>${rest}`,
    ],
  ])('%s is passed over', (_, before, after) => {
    const { dropped, locs, end } = scanRepeated(before, megabyte, 1_000, after)
    expect({ dropped, end }).toEqual({ dropped: [], end: { kind: 'whole' } })
    expect(locs.at(-1)).toBe('https://a.example/2')
  })

  it('a line of text is dropped and counted', () => {
    expect(scanRepeated('https://a.example/', megabyte, 1_000, '\nhttps://a.example/2\n')).toEqual({
      dropped: [['too-long', 200]],
      locs: ['https://a.example/2'],
      end: { kind: 'whole' },
    })
  })

  it('a doctype is a break', () => {
    expect(scanRepeated('<!DOCTYPE urlset [', megabyte, 100, ']><urlset/>').end).toMatchObject({
      kind: 'broken',
      line: 1,
      column: 1,
    })
  })

  it('ten megabytes in one line are nothing special', () => {
    const { locs, end } = scanRepeated(
      '<urlset>',
      '<url><loc>https://a.example/1</loc></url>',
      250_000,
      '</urlset>',
    )
    expect(locs).toHaveLength(250_000)
    expect(end).toEqual({ kind: 'whole' })
  })
})
