import { quotaRemaining } from '../core/quota.ts'
import { utcDayOf } from '../core/utc-day.ts'
import type { Run } from '../stores/run-store.ts'
import type { SubmitStores } from '../stores/stores.ts'
import { lastKnownHold } from './channels/bing/holds.ts'
import type { BingAccount } from './status-settings.ts'

export interface BingStatusOptions {
  readonly stores: SubmitStores
  readonly now: number
  /** The last run that is over. */
  readonly last: Run | undefined
}

/** Bing's part of `/status`, in the shape of docs/spec.md R05. */
export async function bingStatus(
  bing: BingAccount | undefined,
  { stores, now, last }: BingStatusOptions,
) {
  if (!bing) return { enabled: false }
  const account = { channel: 'bing', siteId: bing.siteId, day: utcDayOf(now) }
  const { used, closed, lastSpentAt } = await stores.quota.use(account)
  const limit = knownBingLimit(bing.dailyQuota, last)
  const held = await lastKnownHold(stores.quota, bing.credentials)
  const error = held?.message ?? last?.bing?.error
  const remaining = limit === undefined ? null : quotaRemaining({ used, closed, limit })
  return {
    enabled: true,
    todayQuotaUsed: used,
    todayQuotaRemaining: remaining,
    lastSubmission: lastSpentAt === undefined ? null : new Date(lastSpentAt).toISOString(),
    ...(error !== undefined && { error }),
  }
}

/** With `auto` Bing tells the quota at each run: it is known as of the last. */
export function knownBingLimit(
  dailyQuota: number | 'auto',
  last: Run | undefined,
): number | undefined {
  if (dailyQuota !== 'auto') return dailyQuota
  return last?.bing && last.bing.quotaUsed + last.bing.quotaRemaining
}
