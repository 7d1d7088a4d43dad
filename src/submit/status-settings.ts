import { type BingCredentials, bingCredentials } from './channels/bing/holds.ts'
import { describeUnusable, siteOf, type StoredSite } from './sealed-settings.ts'
import type { SitesOptions } from './sites.ts'

/** What `/status` must know of a site's settings. None of it is secret. */
export interface StatusSettings {
  readonly enabled: boolean
  readonly bing: BingAccount | undefined
  /** For people: why the site cannot be run. */
  readonly problems: readonly string[]
}

export interface BingAccount {
  readonly siteId: string
  readonly dailyQuota: number | 'auto'
  readonly credentials: BingCredentials
}

interface Known {
  readonly stored: StoredSite['settings']
  readonly text: string
  readonly settings: StatusSettings
}

const MOST_SITES = 1_000

/**
 * Whether a site's secrets open is the same for as long as they are stored as they are, and to find out costs more than
 * the rest of the answer. So it is remembered of each site, with the sealed settings that it was found of.
 */
export function openStatusSettings(
  options: SitesOptions,
): (site: StoredSite) => Promise<StatusSettings> {
  const known = new Map<string, Known>()
  return async (site) => {
    const before = known.get(site.id)
    if (before?.stored === site.settings) return before.settings
    const stored = site.settings
    const text = JSON.stringify(stored)
    const settings = before?.text === text ? before.settings : await read(site, options)
    if (!before && known.size >= MOST_SITES) known.clear()
    known.set(site.id, { stored, text, settings })
    return settings
  }
}

async function read(
  stored: StoredSite,
  { sealer, defaults }: SitesOptions,
): Promise<StatusSettings> {
  const site = await siteOf(stored, sealer, defaults)
  if (!site.ok)
    return { enabled: true, bing: undefined, problems: [describeUnusable(site.failure)] }
  const { id, enabled, bing } = site.value
  if (!bing) return { enabled, bing, problems: [] }
  const { dailyQuota, apiKey } = bing
  const credentials = await bingCredentials(id, apiKey)
  return { enabled, bing: { siteId: id, dailyQuota, credentials }, problems: [] }
}
