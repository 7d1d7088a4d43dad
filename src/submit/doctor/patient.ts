import { Secret } from '../../core/secret.ts'
import { hostOf, keyLocationOf, USUAL_SETTINGS } from '../site-settings.ts'
import type { Site } from '../site.ts'

/** What the doctor must know of a site; a stored `Site` is one. */
export type Patient = Pick<
  Site,
  | 'id'
  | 'enabled'
  | 'host'
  | 'sitemapUrl'
  | 'sitemapUrls'
  | 'backupSitemapUrl'
  | 'allowedSitemapHosts'
  | 'apiKey'
  | 'keyLocation'
  | 'searchEngines'
  | 'bing'
>

export interface GivenPatient {
  /** A sitemap or a site; checked to be an http(s) address. */
  readonly sitemapUrl: string
  /** Whatever was given: whether it is a key is for the doctor to say. */
  readonly key: string
  /** Where pages and sitemap are on different hosts. */
  readonly host?: string | undefined
  readonly keyLocation?: string | undefined
  readonly searchEngines?: readonly string[] | undefined
}

/** A site that is stored nowhere. */
export function patientFrom(given: GivenPatient): Patient {
  const { sitemapUrl, keyLocation } = given
  const apiKey = new Secret(given.key)
  const whereabouts = { sitemapUrl, keyLocation, host: given.host }
  const host = hostOf(whereabouts)
  return {
    id: host,
    enabled: true,
    host,
    sitemapUrl,
    sitemapUrls: [],
    backupSitemapUrl: undefined,
    allowedSitemapHosts: [],
    apiKey,
    keyLocation: keyLocationOf(whereabouts, apiKey),
    searchEngines: given.searchEngines ?? USUAL_SETTINGS.searchEngines,
    bing: undefined,
  }
}
