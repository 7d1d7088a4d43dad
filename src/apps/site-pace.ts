import type { Clock } from '../core/clock.ts'
import { rateLimit, type RateLimit } from '../core/rate-limit.ts'
import type { Site } from '../submit/site.ts'

/** A site keeps one pace over all that is sent for it; other settings begin a new one. */
export function pacePerSite(clock: Clock): (site: Site) => RateLimit {
  const paces = new Map<string, { readonly settings: string; readonly pace: RateLimit }>()
  return (site) => {
    const { maxConcurrentRequests: maxInFlight, requestIntervalMs: intervalMs } = site
    const settings = `${maxInFlight}/${intervalMs}`
    const known = paces.get(site.id)
    if (known?.settings === settings) return known.pace
    const pace = rateLimit({ maxInFlight, intervalMs }, clock)
    paces.set(site.id, { settings, pace })
    return pace
  }
}
