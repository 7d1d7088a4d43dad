import type { Secret } from '../core/secret.ts'

export type SubmitMode = 'auto' | 'get' | 'post'
export type BingPriority = 'newest' | 'random'

/** A site whose pages are submitted, its defaults filled in and its secrets unsealed. */
export interface Site {
  readonly id: string
  readonly name: string
  readonly enabled: boolean
  /** The host whose pages are submitted: no scheme, with the port where it is not the usual one. */
  readonly host: string
  /** A sitemap, or the site's origin to find it. */
  readonly sitemapUrl: string
  /** Further roots. */
  readonly sitemapUrls: readonly string[]
  readonly backupSitemapUrl: string | undefined
  /** Other hosts on which its sitemap files may live. */
  readonly allowedSitemapHosts: readonly string[]
  /** The IndexNow key. */
  readonly apiKey: Secret
  readonly keyLocation: string
  /** Endpoints, as URLs. */
  readonly searchEngines: readonly string[]
  readonly submitMode: SubmitMode
  readonly maxConcurrentRequests: number
  readonly requestIntervalMs: number
  readonly maxRetries: number
  readonly cacheTtlDays: number
  readonly firstRun: 'submit' | 'baseline'
  readonly submitDeleted: boolean
  /** Secret, since chat services put their token into it. */
  readonly webhookUrl: Secret | undefined
  readonly bing: BingSettings | undefined
}

/** Only where Bing is enabled. */
export interface BingSettings {
  readonly apiKey: Secret
  readonly dailyQuota: number | 'auto'
  readonly priority: BingPriority
}
