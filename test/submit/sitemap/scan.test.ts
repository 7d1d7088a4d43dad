import { describe, expect, it } from 'vitest'
import { bytesOf, scanBytewise, scanCutAt, scanWhole } from './scan-document.ts'
import { TRICKY_DOCUMENTS } from './tricky-documents.ts'

describe.each(TRICKY_DOCUMENTS)(
  '$name',
  ({ document, entries, dropped = [], end = { kind: 'whole' }, format }) => {
    const expected = { entries, dropped, end, ...(format && { format }) }

    it('in one piece', () => {
      expect(scanWhole(document)).toMatchObject(expected)
    })

    it('cut in two at every byte', () => {
      for (let cut = 0; cut <= bytesOf(document).length; cut++) {
        expect({ cut, ...scanCutAt(document, cut) }).toMatchObject({ cut, ...expected })
      }
    })

    it('byte by byte', () => {
      expect(scanBytewise(document)).toMatchObject(expected)
    })
  },
)

/** Entries behind a plain one are first tried by the quick way. */
const LIST = /^([^]*?<(?:urlset|sitemapindex)(?: xmlns="[^"]*")?>)([^]*)$/
const BEHIND_A_PLAIN_ONE = TRICKY_DOCUMENTS.flatMap(({ name, document, entries, end }) => {
  const [, root, rest] = (typeof document === 'string' && LIST.exec(document)) || []
  if (root === undefined || rest === undefined || end?.kind === 'not-a-sitemap') return []
  const entry = root.includes('sitemapindex') ? 'sitemap' : 'url'
  const plain = `<${entry}><loc>https://a.example/0</loc></${entry}>`
  return [{ name, document: `${root}${plain}${rest}`, entries, kind: end?.kind ?? 'whole' }]
})

it('there are documents to put a plain entry into', () => {
  expect(BEHIND_A_PLAIN_ONE.length).toBeGreaterThan(15)
})

it.each(BEHIND_A_PLAIN_ONE)('$name, behind a plain entry', ({ document, entries, kind }) => {
  const expected = { entries: [['https://a.example/0', 0], ...entries], end: { kind } }
  expect(scanWhole(document)).toMatchObject(expected)
  for (let cut = 0; cut <= bytesOf(document).length; cut++) {
    expect({ cut, ...scanCutAt(document, cut) }).toMatchObject({ cut, ...expected })
  }
})
