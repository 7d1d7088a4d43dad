import { gzipSync } from 'node:zlib'
import type { Clock } from '../src/core/clock.ts'
import { openSite, sitemapIndex, type SiteStandIn, urlset } from '../test/support/stand-ins/site.ts'

export const PAGES = 20_000
const PAGES_PER_FILE = 4_000
export const SITEMAP_FILES = PAGES / PAGES_PER_FILE

/** What the site's authors do on the second day. */
export const CHANGED = 300
export const ADDED = 120
export const DELETED = 40

export interface GeneratedSite extends SiteStandIn {
  readonly page: (number: number) => string
  /** A day's work: pages written, pages changed, pages taken down. */
  edit(day: string): void
}

/** A shop of 20,000 pages: an index of gzipped sitemaps, a key file, and 404 for what is not there. */
export async function openGeneratedSite(options: {
  readonly clock: Clock
  readonly key: string
  readonly day: string
}): Promise<GeneratedSite> {
  const { clock, key, day } = options
  const site = await openSite({ clock, files: { [`/${key}.txt`]: key } })
  const page = (number: number) => site.url(`/products/${number}`)
  const lastmods = new Map<number, string>()
  for (let number = 1; number <= PAGES; number++) lastmods.set(number, day)

  const publish = () => {
    const numbers = [...lastmods.keys()]
    const names: string[] = []
    for (let at = 0; at < numbers.length; at += PAGES_PER_FILE) {
      const entries = numbers
        .slice(at, at + PAGES_PER_FILE)
        .map((number) => [page(number), lastmods.get(number) ?? day] as const)
      const name = `/sitemap-${names.length + 1}.xml.gz`
      names.push(name)
      site.put({ [name]: gzipSync(urlset(...entries)) })
    }
    site.put({ '/sitemap.xml': sitemapIndex(...names.map((name) => site.url(name))) })
  }
  publish()
  return Object.assign(site, {
    page,
    edit(today: string) {
      const numbers = [...lastmods.keys()]
      for (const number of numbers.slice(0, DELETED)) lastmods.delete(number)
      for (const number of numbers.slice(-CHANGED)) lastmods.set(number, today)
      for (let number = PAGES + 1; number <= PAGES + ADDED; number++) lastmods.set(number, today)
      publish()
    },
  })
}
