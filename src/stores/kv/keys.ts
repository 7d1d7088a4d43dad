import type { QuotaAccount } from '../quota-store.ts'

/** Every key that is written. Those of the founding documents keep their names; what is in them is packed. */
export const KEYS = {
  sites: 'sites:all',
  alerts: 'alerts',
  leases: 'leases',
  histories: 'sites:history:',
  history: (siteId: string) => `sites:history:${part(siteId)}`,
  /** Whose run it is. */
  run: (runId: string) => `run:${part(runId)}`,
  lease: (name: string) => `lease:${part(name)}`,
  quota: ({ channel, siteId, day }: QuotaAccount) =>
    `${part(channel)}:quota:${part(siteId)}:${day}`,
  hold: (channel: string, credential: string) => `${part(channel)}:hold:${part(credential)}`,
  ledger: (siteId: string) => `url_cache:${part(siteId)}:`,
  /** What Bing made of URLs, until it is in the ledger. */
  bingLedger: (siteId: string) => `url_cache:bing:${part(siteId)}:`,
} as const

/** An id may hold a colon, and two keys must never be one. */
const part = encodeURIComponent
