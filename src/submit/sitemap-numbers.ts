import type { KnownSitemap } from '../stores/ledger-store.ts'

/** The ledger has 16 bits for the file of a URL; 0 says that the file has no number. */
const GREATEST = 65_535

export interface SitemapNumbers {
  /** The number of a file, given now if it is new; 0 when there are none left. */
  of(url: string): number
  /** Whether the file has one. */
  has(url: string): boolean
}

export function openSitemapNumbers(known: readonly KnownSitemap[]): SitemapNumbers {
  const numbers = new Map(known.map(({ url, number }) => [url, number]))
  let last = known.reduce((most, { number }) => Math.max(most, number), 0)
  return {
    has: (url) => (numbers.get(url) ?? 0) > 0,
    of(url) {
      const number = numbers.get(url)
      if (number !== undefined) return number
      const next = last < GREATEST ? ++last : 0
      numbers.set(url, next)
      return next
    },
  }
}
