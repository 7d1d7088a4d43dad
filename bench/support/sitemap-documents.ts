import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

const FOLDER = join(import.meta.dirname, '..', 'data')

export type DocumentName = 'plain' | 'extended'

/** How many URLs are in each; a reader that finds another number is wrong. */
export const URL_COUNTS = { plain: 50_000, extended: 45_000 } as const

/** A generated sitemap: about 9 MB of plain entries, or about 50 MB with images, news, languages and comments. */
export function sitemapDocument(name: DocumentName): Buffer {
  return cached(`${name}.xml`, () => Buffer.from(name === 'plain' ? plain() : extended()))
}

export function zippedDocument(name: DocumentName): Buffer {
  return cached(`${name}.xml.gz`, () => gzipSync(sitemapDocument(name)))
}

/** Kept from one run to the next; moved into place whole, since several processes may look for it. */
function cached(file: string, make: () => Buffer): Buffer {
  const path = join(FOLDER, file)
  if (!existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, make())
    renameSync(`${path}.${process.pid}`, path)
  }
  return readFileSync(path)
}

const HEAD = '<?xml version="1.0" encoding="UTF-8"?>\n'
const SITEMAP = 'xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"'

function plain(): string {
  const next = numbers()
  const entries = Array.from(
    { length: URL_COUNTS.plain },
    (_, n) => `${plainStart(n, next)}  </url>\n`,
  )
  return `${HEAD}<urlset ${SITEMAP}>\n${entries.join('')}</urlset>\n`
}

function plainStart(n: number, next: Numbers): string {
  return `  <url>
    <loc>${address(n, next)}</loc>
    <lastmod>${date(next)}</lastmod>
    <changefreq>weekly</changefreq>
    <priority>0.${5 + next(5)}</priority>
`
}

function extended(): string {
  const next = numbers()
  const entries = Array.from({ length: URL_COUNTS.extended }, (_, n) => extendedEntry(n, next))
  const spaces = `${SITEMAP} xmlns:image="http://www.google.com/schemas/sitemap-image/1.1" xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:xhtml="http://www.w3.org/1999/xhtml"`
  return `${HEAD}<urlset ${spaces}>\n${entries.join('')}</urlset>\n`
}

function extendedEntry(n: number, next: Numbers): string {
  const loc = address(n, next)
  const isSection = next(50) === 0
  const parts = [
    `  <url>\n    <loc>${isSection ? `<![CDATA[${loc.replaceAll('&amp;', '&')}]]>` : loc}</loc>`,
    `    <lastmod>${date(next)}</lastmod>`,
    ...(next(50) === 0 ? ['    <!-- <loc>https://www.example.com/not-a-page</loc> -->'] : []),
    ...LANGUAGES.slice(0, 1 + next(5)).map((language) => alternate(language, n, next)),
    ...Array.from({ length: next(5) }, (_, k) => image(n, k, next)),
    ...(next(3) === 0 ? [news(next)] : []),
  ]
  return `${parts.join('\n')}\n  </url>\n`
}

const LANGUAGES = ['en', 'de', 'fr', 'ja', 'zh-Hans']

const alternate = (language: string, n: number, next: Numbers) =>
  `    <xhtml:link rel="alternate" hreflang="${language}" href="https://www.example.com/${language}/${word(next)}/${word(next)}-${n}.html"/>`

function image(n: number, k: number, next: Numbers): string {
  const caption =
    next(20) === 0
      ? `<![CDATA[${word(next)} <b>${word(next)}</b>]]>`
      : `${word(next)} &amp; ${word(next)}`
  return `    <image:image>
      <image:loc>https://cdn.example.com/img/${word(next)}/${word(next)}-${n}-${k}.jpg</image:loc>
      <image:title>${next(10) === 0 ? 'Der schöne Fluß 图片 ' : ''}${word(next)} ${word(next)} ${word(next)}</image:title>
      <image:caption>${caption} of the ${word(next)} that is seen from the ${word(next)}</image:caption>
    </image:image>`
}

const news = (next: Numbers) => `    <news:news>
      <news:publication>
        <news:name>The ${word(next)} Times</news:name>
        <news:language>en</news:language>
      </news:publication>
      <news:publication_date>${date(next)}</news:publication_date>
      <news:title>${word(next)} ${word(next)} ${word(next)} ${word(next)}</news:title>
    </news:news>`

function address(n: number, next: Numbers): string {
  const rest = next(7) === 0 ? `?from=${word(next)}&amp;id=${n}` : '.html'
  return `https://www.example.com/${word(next)}/${word(next)}-${word(next)}-${word(next)}-${n}${rest}`
}

function date(next: Numbers): string {
  const written = new Date((1_600_000_000 + next(150_000_000)) * 1_000).toISOString()
  return next(2) === 0 ? written.slice(0, 10) : `${written.slice(0, 19)}+00:00`
}

const SYLLABLES = [
  'an',
  'be',
  'cor',
  'dal',
  'es',
  'fin',
  'gar',
  'hol',
  'in',
  'jun',
  'kel',
  'lo',
  'mar',
  'ni',
  'or',
  'pel',
  'ras',
  'si',
  'tor',
  'um',
  'vel',
  'wa',
  'yon',
  'zu',
]

/** As many words as a site has, so that it shrinks no more than a real one when compressed. */
const word = (next: Numbers) =>
  Array.from({ length: 1 + next(3) }, () => SYLLABLES[next(SYLLABLES.length)]).join('')

type Numbers = (below: number) => number

/** The same numbers every time. */
function numbers(): Numbers {
  let state = 42
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    // The lower bits of such a generator repeat soon.
    return Math.floor((state / 4_294_967_296) * below)
  }
}
