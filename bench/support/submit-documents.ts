import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'

export const HOST = 'www.sluice.test'

const FOLDER = join(import.meta.dirname, '..', 'data')
const URLS_PER_FILE = 50_000
const CHANGED_EVERY = 20
const FIRST_DAY = Date.parse('2025-01-14T00:00:00Z')
const DAY_MS = 86_400_000

export interface SiteDay {
  readonly count: number
  /** On the second every twentieth page has changed. */
  readonly day: 1 | 2
}

/** A site's gzipped sitemap files, 50,000 URLs each; kept from one run of the benchmark to the next. */
export function sitemapFiles({ count, day }: SiteDay): Buffer[] {
  return Array.from({ length: fileCount(count) }, (_, file) => {
    const first = file * URLS_PER_FILE
    const urls = Math.min(URLS_PER_FILE, count - first)
    return cached(`site-${count}-day-${day}-${file}.xml.gz`, () =>
      gzipSync(document({ first, urls, day })),
    )
  })
}

export function fileCount(count: number): number {
  return Math.ceil(count / URLS_PER_FILE)
}

export function changedCount(count: number): number {
  return Math.ceil(count / CHANGED_EVERY)
}

function document({ first, urls, day }: { first: number; urls: number; day: 1 | 2 }): string {
  const entries = Array.from({ length: urls }, (_, n) => entry(first + n, day))
  return `<?xml version="1.0" encoding="UTF-8"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${entries.join('')}</urlset>\n`
}

function entry(n: number, day: 1 | 2): string {
  // A sitemap goes by age and addresses by title: they come in no order.
  const title = Math.imul(n, 0x9e37_79b1) >>> 0
  const isChanged = day === 2 && n % CHANGED_EVERY === 0
  const lastmod = new Date(isChanged ? FIRST_DAY + DAY_MS : FIRST_DAY - (n % 1_000) * DAY_MS)
  return `  <url>
    <loc>https://${HOST}/catalogue/section-${title % 97}/article-${title}.html</loc>
    <lastmod>${lastmod.toISOString().slice(0, 19)}+00:00</lastmod>
  </url>
`
}

/** Moved into place whole, since several processes may look for it. */
function cached(file: string, make: () => Buffer): Buffer {
  const path = join(FOLDER, file)
  if (!existsSync(path)) {
    mkdirSync(FOLDER, { recursive: true })
    writeFileSync(`${path}.${process.pid}`, make())
    renameSync(`${path}.${process.pid}`, path)
  }
  return readFileSync(path)
}
