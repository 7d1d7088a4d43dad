import type { QuotaStore } from '../../../stores/quota-store.ts'
import type { BingSettings } from '../../site.ts'
import { type BingApi, type BingSending, openBingApi } from './api.ts'
import { type BingHolds, openBingHolds } from './holds.ts'
import { type BingQuota, openBingQuota } from './quota.ts'

export interface BingOptions {
  readonly siteId: string
  /** SPEC B01: its origin is the site as the account knows it. */
  readonly sitemapUrl: string
  readonly settings: Pick<BingSettings, 'apiKey' | 'dailyQuota'>
  readonly apiUrl: string
  readonly runStartedAt: number
  readonly store: QuotaStore
}

/** One site's account at Bing, for one run. */
export interface Bing {
  readonly api: BingApi
  readonly holds: BingHolds
  readonly quota: BingQuota
}

/** Asks nobody yet: the first call is made by what needs its answer. */
export function openBing(options: BingOptions, sending: BingSending): Bing {
  const { siteId, settings, store, apiUrl, runStartedAt } = options
  const { apiKey, dailyQuota } = settings
  const { clock, log } = sending
  const siteUrl = new URL(options.sitemapUrl).origin
  const api = openBingApi({ apiUrl, apiKey, siteUrl }, sending)
  const holds = openBingHolds({ siteId, apiKey, api, store, clock })
  const account = { siteId, limit: dailyQuota, runStartedAt, store, clock }
  return { api, holds, quota: openBingQuota(account, { api, holds, log }) }
}
