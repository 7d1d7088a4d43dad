import type { Clock } from '../../../core/clock.ts'
import type { Log } from '../../../core/log.ts'
import { quotaRemaining } from '../../../core/quota.ts'
import { type UtcDay, utcDayOf } from '../../../core/utc-day.ts'
import type { QuotaAccount, QuotaStore } from '../../../stores/quota-store.ts'
import type { BingApi } from './api.ts'
import type { BingHolds } from './holds.ts'
import { DEFAULT_DAILY_QUOTA } from './limits.ts'
import { describeBingFailure } from './replies.ts'

/** A site's allowance on the day its run began, also past midnight (SPEC B04). */
export interface BingQuota {
  readonly day: UtcDay
  limit(): Promise<number>
  used(): Promise<number>
  remaining(): Promise<number>
  /** Takes up to `count` before they are sent, and tells how many may be. */
  spend(count: number): Promise<number>
  /** Returns what was certainly not counted. */
  giveBack(count: number): Promise<void>
  /** Bing said that the day is full. */
  close(): Promise<void>
  /** What had to be assumed. */
  warnings(): readonly string[]
}

export interface BingQuotaOptions {
  readonly siteId: string
  readonly limit: number | 'auto'
  readonly runStartedAt: number
  readonly store: QuotaStore
  readonly clock: Clock
}

/** What `auto` needs besides: whom to ask, and whether that is allowed now. */
export interface AskBing {
  readonly api: BingApi
  readonly holds: BingHolds
  readonly log: Log
}

export function openBingQuota(options: BingQuotaOptions, asking?: AskBing): BingQuota {
  const { siteId, runStartedAt, store, clock } = options
  const day = utcDayOf(runStartedAt)
  const account: QuotaAccount = { channel: 'bing', siteId, day }
  const warnings: string[] = []
  let asked: Promise<number> | undefined

  const limit = async () =>
    options.limit === 'auto' ? (asked ??= askLimit()) : Promise.resolve(options.limit)

  const askLimit = async () => {
    if (!asking || (await asking.holds.current())) return DEFAULT_DAILY_QUOTA
    const { used } = await store.use(account)
    const { result } = await asking.api.quotaLeft()
    if (!result.ok) {
      await asking.holds.learnFrom(result.failure)
      const why = `Bing did not tell its quota, so ${DEFAULT_DAILY_QUOTA} is assumed. ${describeBingFailure(result.failure)}`
      warnings.push(why)
      asking.log.warn('bing.quota_unknown', why)
      return DEFAULT_DAILY_QUOTA
    }
    // Bing tells what is left. If it told the whole instead, too much would be asked for, refused with the
    // right number and sent again; read the other way round, quota would be lost in silence.
    const { daily, monthly = daily } = result.value
    return used + Math.min(daily, monthly)
  }

  return {
    day,
    limit,
    used: async () => (await store.use(account)).used,
    remaining: async () => quotaRemaining({ ...(await store.use(account)), limit: await limit() }),
    spend: async (count) => store.spend(account, { wanted: count, limit: await limit() }),
    giveBack: (count) => store.giveBack(account, count),
    async close() {
      await store.close(account)
      // Past midnight Bing speaks of its own today, not of the day the run began.
      const today = utcDayOf(clock.now())
      if (today !== day) await store.close({ ...account, day: today })
    },
    warnings: () => warnings,
  }
}
