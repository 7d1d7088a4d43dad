import { type CookieKeeping, resealCookies, type Resealed } from '../../collect/cookies/keeping.ts'
import { resealSites } from '../../submit/reseal.ts'
import type { SitesOptions } from '../../submit/sites.ts'

/** Seals everything anew with the current key: cookies, and the keys and webhooks of sites. */
export async function rotateKey({
  keeping,
  sites,
}: {
  readonly keeping: CookieKeeping
  readonly sites: SitesOptions
}): Promise<Resealed> {
  const [cookies, others] = [await resealCookies(keeping), await resealSites(sites)]
  return {
    resealed: cookies.resealed + others.resealed,
    stuck: [...cookies.stuck, ...others.stuck],
  }
}
