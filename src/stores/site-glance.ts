import type { Json } from '../core/json.ts'
import type { LeaseStore } from './lease-store.ts'
import type { Run, RunStore } from './run-store.ts'
import type { SiteStore } from './site-store.ts'

/** How a site stands. */
export interface SiteGlance {
  readonly settings: Json
  /** Whether somebody holds the lease that was asked about. */
  readonly isHeld: boolean
  readonly newest: Run | undefined
}

/**
 * What `sites`, `leases` and `runs` tell of one site, for whoever asks again and again: a backend that can looks once, and
 * again only when something was written.
 */
export interface SiteGlances {
  /** As it stands after it was asked for, never before. Undefined where there is no such site. */
  at(siteId: string, leaseName: string): Promise<SiteGlance | undefined>
}

export interface GlancedStores {
  readonly sites: Pick<SiteStore, 'get'>
  readonly leases: Pick<LeaseStore, 'held'>
  readonly runs: Pick<RunStore, 'list'>
}

/** For a backend that has no quicker way. */
export function glancesOver({ sites, leases, runs }: GlancedStores): SiteGlances {
  return {
    async at(siteId, leaseName) {
      const [record, held, [newest]] = await Promise.all([
        sites.get(siteId),
        leases.held(),
        runs.list(siteId, 1),
      ])
      if (!record) return undefined
      const isHeld = held.some(({ name }) => name === leaseName)
      return { settings: record.settings, isHeld, newest }
    },
  }
}
