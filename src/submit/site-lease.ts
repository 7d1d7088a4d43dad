/** Whoever works on a site, or takes it away, holds this lease. */
export function leaseNameOf(siteId: string): string {
  return `site:${siteId}`
}
