/** How many letters may be wrong in a name for it to be taken for `known`. */
export type NearEnough = (known: string) => number

/** The shorter a name, the nearer it must be. */
const aQuarter: NearEnough = (known) => Math.max(1, Math.floor(known.length / 4))

/** The name that was probably meant, for "did you mean": `sitemap_url` and `SitemapURL` are ways to write `sitemapUrl`. */
export function nearestName<T extends string>(
  name: string,
  names: readonly T[],
  nearEnough: NearEnough = aQuarter,
): T | undefined {
  const [nearest] = names
    .map((known) => ({ known, distance: editDistance(plain(name), plain(known)) }))
    .filter(({ known, distance }) => distance <= nearEnough(known))
    .sort((a, b) => a.distance - b.distance)
  return nearest?.known
}

function plain(name: string): string {
  // Longer than any name of ours, and short enough to compare at once.
  return name
    .slice(0, 100)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '')
}

function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const next = [i]
    for (let j = 1; j <= to.length; j++) {
      const swap = (row[j - 1] ?? 0) + (from[i - 1] === to[j - 1] ? 0 : 1)
      next[j] = Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1)
    }
    row = next
  }
  return row[to.length] ?? 0
}
