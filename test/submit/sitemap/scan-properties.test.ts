import fc from 'fast-check'
import { SaxesParser } from 'saxes'
import { describe, expect, it } from 'vitest'
import { canonicalUrl } from '../../../src/core/canonical-url.ts'
import { resolveReferences } from '../../../src/submit/sitemap/entities.ts'
import { dateSeconds } from '../../../src/submit/sitemap/lastmod.ts'
import { bytesOf, scanChunks, scanWhole } from './scan-document.ts'
import { TRICKY_DOCUMENTS } from './tricky-documents.ts'

const blanks = fc.constantFrom('', '', ' ', '\n', '\r\n\t', '\n      ')
const word = fc.stringMatching(/^[a-z0-9/._~-]{1,24}$/)
const anyText = fc.constantFrom(
  'a',
  'a > b',
  'größer',
  '中文',
  'x &amp; y',
  '&lt;loc&gt;',
  '/>',
  '"',
  "it's",
  '!',
  '?>',
  '-- -',
)
const comment = fc.constantFrom(
  '<!---->',
  '<!-- </url> -->',
  '<!--<loc>https://a.example/no</loc>-->',
)
const section = fc.constantFrom(
  '<![CDATA[]]>',
  '<![CDATA[</url><url>]]>',
  '<![CDATA[a > b ]] ]>]]>',
)
const instruction = fc.constantFrom('<?x?>', '<?x </url> ?>')
const attribute = fc.constantFrom(
  '',
  ' a="1"',
  " b='\"'",
  ' c="a > b"',
  ' d="/"',
  " e = '/>' ",
  '\n',
)
const foreignName = fc.constantFrom(
  'image:loc',
  'x',
  'priority',
  'video:video',
  'lastmods',
  'locs',
  'u',
)

const noise: fc.Arbitrary<string> = fc.letrec<{ noise: string; element: string }>((tie) => ({
  noise: fc.oneof(
    { depthSize: 'small' },
    blanks,
    anyText,
    comment,
    section,
    instruction,
    tie('element'),
  ),
  element: fc
    .tuple(foreignName, attribute, fc.array(tie('noise'), { maxLength: 3 }), fc.boolean())
    .map(([name, attributes, inner, isEmpty]) =>
      isEmpty ? `<${name}${attributes}/>` : `<${name}${attributes}>${inner.join('')}</${name}>`,
    ),
})).noise

/** One text, written in any of the ways XML has for it. */
const written = (text: string) =>
  fc.constantFrom(
    text,
    text.replaceAll('&', '&amp;').replaceAll('ü', '&#xfc;'),
    `<![CDATA[${text}]]>`,
    `${text.slice(0, 4)}<!-- c -->${text.slice(4)}`,
    `${text.slice(0, 5)}<![CDATA[${text.slice(5)}]]>`,
    `\n  ${text}\n`,
  )

const address = word.chain((path) => written(`https://a.example/${path}`))
const query = word.map((path) => `https://a.example/${path}?a=ü&amp;b=&#x4e2d;&#33;`)
const date = fc
  .constantFrom('2024-01-01', '2024-05-06T07:08:09+02:00', '2024', 'soon', '')
  .chain(written)

const entry = (prefix: string, name: string) => {
  const field = (local: string, value: fc.Arbitrary<string>) =>
    fc
      .tuple(attribute, value, blanks)
      .map(
        ([attributes, inner, end]) =>
          `<${prefix}${local}${attributes}>${inner}</${prefix}${local}${end}>`,
      )
  const plain = fc
    .tuple(field('loc', fc.oneof(address, query)), field('lastmod', date))
    .map((parts) => parts.join('\n'))
  const parts = fc.array(
    fc.oneof(noise, noise, field('loc', fc.oneof(address, query)), field('lastmod', date)),
    { maxLength: 6 },
  )
  return fc
    .tuple(
      fc.oneof(
        plain,
        parts.map((list) => list.join('')),
      ),
      attribute,
      noise,
    )
    .map(
      ([inner, attributes, rest]) =>
        `<${prefix}${name}${attributes}>${inner}${rest}</${prefix}${name}>`,
    )
}

/** Entries that are written alike, with other texts in them: some of the same length, some that are more than a text. */
const alike = (prefix: string, name: string) =>
  fc
    .tuple(blanks, fc.boolean(), fc.array(fc.tuple(word, fc.nat(28), anyText), { maxLength: 8 }))
    .map(([gap, isDated, texts]) =>
      texts
        .map(([path, day, text]) => {
          const lastmod = `<${prefix}lastmod>2024-02-${String(day + 1).padStart(2, '0')}</${prefix}lastmod>${gap}`
          const loc = `<${prefix}loc>https://a.example/${path}</${prefix}loc>${gap}`
          return `${gap}<${prefix}${name}>${gap}${loc}${isDated ? lastmod : ''}<x>0.${day % 10}</x>${gap}<y>${text}</y></${prefix}${name}>`
        })
        .join(''),
    )

const sitemap = fc
  .tuple(
    fc.constantFrom('', 'sm:', 'a:'),
    fc.constantFrom(['urlset', 'url'] as const, ['sitemapindex', 'sitemap'] as const),
  )
  .chain(([prefix, [root, name]]) =>
    fc
      .tuple(
        fc.array(fc.oneof(entry(prefix, name), alike(prefix, name), noise), { maxLength: 8 }),
        attribute,
      )
      .map(
        ([inner, attributes]) =>
          `<?xml version="1.0"?>${'<!-- <urlset> -->'}<${prefix}${root}${attributes}>${inner.join('')}</${prefix}${root}>`,
      ),
  )

const chunked = (document: fc.Arbitrary<string | Uint8Array>) =>
  fc.tuple(document, fc.array(fc.integer({ min: 1, max: 300 }), { maxLength: 40 }))

function* chunksOf(bytes: Uint8Array, sizes: readonly number[]) {
  let from = 0
  for (const size of sizes) {
    yield bytes.subarray(from, from + size)
    from += size
  }
  yield bytes.subarray(from)
}

/** What a real XML parser finds, by the rules that the scanner follows. */
function oracle(document: string): [string, number][] {
  const entries: [string, number][] = []
  const open: string[] = []
  let fields = { loc: '', lastmod: 0 }
  let text = ''
  const parser = new SaxesParser()
  const isField = () =>
    open.length === 3 &&
    /^(\w+:)?(url|sitemap)$/.test(open[1] ?? '') &&
    prefixOf(open[1]) === prefixOf(open[0])
  const prefixOf = (name = '') => name.slice(0, name.indexOf(':') + 1)
  const add = (piece: string) => {
    if (isField()) text += piece
  }
  parser.on('error', (error) => {
    throw error
  })
  parser.on('opentag', ({ name }) => {
    open.push(name)
    if (open.length === 3) text = ''
    if (open.length === 2) fields = { loc: '', lastmod: 0 }
  })
  parser.on('text', add)
  parser.on('cdata', add)
  parser.on('closetag', ({ name }) => {
    const own = prefixOf(open[0])
    if (isField() && name === `${own}loc`) fields.loc ||= text.trim()
    if (isField() && name === `${own}lastmod`) fields.lastmod ||= dateSeconds(text.trim())
    open.pop()
    const isEntry = open.length === 1 && (name === `${own}url` || name === `${own}sitemap`)
    if (isEntry && fields.loc !== '') entries.push([fields.loc, fields.lastmod])
  })
  parser.write(document).close()
  return entries
}

describe('any well-formed sitemap', () => {
  it('gives what an XML parser finds, however it is cut', () => {
    fc.assert(
      fc.property(chunked(sitemap), ([document, sizes]) => {
        const scanned = scanChunks(chunksOf(bytesOf(document), sizes))
        expect(scanned.end).toEqual({ kind: 'whole' })
        expect(scanned.entries).toEqual(oracle(document as string))
      }),
      { numRuns: 1_500 },
    )
  })

  it('gives all its whole entries when it is cut off, and says that it is', () => {
    fc.assert(
      fc.property(sitemap, fc.nat(), (document, where) => {
        const whole = scanWhole(document)
        const bytes = bytesOf(document)
        const cut = scanWhole(bytes.subarray(0, where % (bytes.length - 1)))
        expect(whole.entries.slice(0, cut.entries.length)).toEqual(cut.entries)
        expect(['broken', 'empty']).toContain(cut.end.kind)
      }),
      { numRuns: 500 },
    )
  })
})

/** Bytes overwritten, removed, doubled, moved: what disks, proxies and editors do. */
const damaged = fc
  .tuple(
    fc.oneof(
      sitemap.map(bytesOf),
      fc.constantFrom(...TRICKY_DOCUMENTS.map(({ document }) => bytesOf(document))),
    ),
    fc.array(
      fc.tuple(
        fc.nat(),
        fc.constantFrom(
          '<',
          '>',
          '"',
          "'",
          '&',
          ';',
          '/',
          '!',
          '-',
          ']]>',
          '-->',
          '<!--',
          '<![CDATA[',
          '</url>',
          '<url>',
          '<loc>',
          '\0',
          '\x7f',
          '\xff',
          '',
          '中',
          ' ',
        ),
        fc.integer({ min: 0, max: 12 }),
      ),
      { minLength: 1, maxLength: 6 },
    ),
  )
  .map(([bytes, edits]) => {
    let result = bytes
    for (const [where, insert, removed] of edits) {
      const at = where % (result.length + 1)
      result = Uint8Array.of(
        ...result.subarray(0, at),
        ...bytesOf(insert),
        ...result.subarray(at + removed),
      )
    }
    return result
  })

/** Whether the address stands in the document in one piece, or in several with nothing but markup between them. */
function isIn(bytes: Uint8Array, loc: string): boolean {
  return ['utf-8', 'utf-16le', 'utf-16be', 'windows-1252']
    .map((label) => new TextDecoder(label).decode(bytes))
    .flatMap((document) => [
      document,
      document.replaceAll(/&[^;&<]*;/g, (one) => resolveReferences(one) ?? one),
    ])
    .some((document) =>
      [...document.matchAll(/h/gi)].some(({ index }) => continues(document, index, loc)),
    )
}

function continues(document: string, start: number, loc: string): boolean {
  const tried = new Set<string>()
  const open = [{ from: start, rest: loc }]
  for (let next = open.pop(); next; next = open.pop()) {
    const { from, rest } = next
    let same = 0
    while (same < rest.length && document[from + same] === rest[same]) same++
    if (same === rest.length) return true
    const at = from + same
    const isMarkup = document[at] === '<' || document.startsWith(']]>', at)
    if (!isMarkup || tried.has(`${at} ${rest.length - same}`)) continue
    tried.add(`${at} ${rest.length - same}`)
    for (const { index } of document.slice(at).matchAll(/[>[]/g)) {
      open.push({ from: at + index + 1, rest: rest.slice(same) })
    }
  }
  return false
}

/** What else is found between the tags of a damaged document is dropped by the reader. */
const isAddress = (loc: string) => canonicalUrl(loc).ok && !/[<>]/.test(loc)

describe('any damaged sitemap', () => {
  it('never gives an address that is not in it', () => {
    fc.assert(
      fc.property(chunked(damaged), ([document, sizes]) => {
        const scanned = scanChunks(chunksOf(document as Uint8Array, sizes))
        for (const [loc] of scanned.entries.filter(([loc]) => isAddress(loc))) {
          if (!isIn(document as Uint8Array, loc)) throw new Error(`${loc} is not in the document`)
        }
      }),
      { numRuns: 3_000 },
    )
  })

  it('gives the same however it is cut', () => {
    fc.assert(
      fc.property(chunked(damaged), ([document, sizes]) => {
        const { entries, end } = scanWhole(document)
        expect(scanChunks(chunksOf(document as Uint8Array, sizes))).toMatchObject({ entries, end })
      }),
      { numRuns: 3_000 },
    )
  })
})

it('takes any bytes at all', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 2_000 }), (bytes) => {
      scanWhole(bytes)
    }),
  )
})
