import type { Clock } from '../../core/clock.ts'
import { hours } from '../../core/duration.ts'
import { quotaGrant } from '../../core/quota.ts'
import type { QuotaAccount, QuotaHold, QuotaStore } from '../quota-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'

/** A day is asked for until the next is over. */
const KEPT_MS = hours(48)

/** As the founding documents have it, and who spent how much beside it. */
interface QuotaRecord {
  readonly used: number
  readonly lastUpdate?: string
  readonly closed?: boolean
  readonly spenders?: Readonly<Record<string, number>>
}

export interface Overrun {
  readonly account: QuotaAccount
  readonly used: number
  readonly limit: number
}

export interface KvQuotaStore extends QuotaStore {
  /** Writes again what somebody else's write has covered up; tells of what was spent past the limit. */
  reconcile(): Promise<void>
}

export interface KvQuotaOptions {
  readonly documents: Documents
  readonly clock: Clock
  /** Names who spends here, among all who do. */
  readonly spender: string
  /** SPEC B04: more was spent than the limit, by two at the same moment. */
  readonly tellOverrun: (overrun: Overrun) => void
}

interface Own {
  readonly account: QuotaAccount
  spent: number
  limit: number
}

/**
 * A soft limit, for KV has no atomic addition: two who spend at the same moment may both be granted the last 5. Each keeps
 * its own sum in the record and puts it back when it is missing, so that the count is right in the end: 105 of 100.
 */
export function kvQuotaStore(options: KvQuotaOptions): KvQuotaStore {
  const { documents, clock, spender, tellOverrun } = options
  const own = new Map<string, Own>()
  const ownAt = (account: QuotaAccount) => {
    const key = KEYS.quota(account)
    const known = own.get(key) ?? { account, spent: 0, limit: Number.POSITIVE_INFINITY }
    own.set(key, known)
    return known
  }
  /** With what was spent here, even if somebody else has written over it. */
  const whole = (found: QuotaRecord | undefined, { spent }: Own): QuotaRecord => {
    const { spenders = found ? { earlier: found.used } : {}, ...rest } = found ?? {}
    const all = spent === 0 && !(spender in spenders) ? spenders : { ...spenders, [spender]: spent }
    return { ...rest, used: sumOf(all), spenders: all }
  }
  const add = (found: QuotaRecord, mine: Own, count: number): QuotaRecord => {
    mine.spent += count
    return whole(found, mine)
  }
  const change = <A>(
    account: QuotaAccount,
    decide: (record: QuotaRecord, mine: Own) => { after?: QuotaRecord; answer: A },
  ) => {
    const mine = ownAt(account)
    let spentBefore: number | undefined
    return documents.change<QuotaRecord, A>(
      KEYS.quota(account),
      (found) => {
        // Decided again, what the first decision added was never written.
        mine.spent = spentBefore ??= mine.spent
        return decide(whole(found, mine), mine)
      },
      KEPT_MS,
    )
  }
  return {
    async use(account) {
      const found = await documents.read<QuotaRecord>(KEYS.quota(account))
      const { used, closed = false, lastUpdate } = whole(found, ownAt(account))
      return {
        used,
        closed,
        lastSpentAt: lastUpdate === undefined ? undefined : Date.parse(lastUpdate),
      }
    },
    spend: (account, { wanted, limit }) =>
      change(account, (record, mine) => {
        mine.limit = limit
        const { used, closed = false } = record
        if (used > limit) tellOverrun({ account, used, limit })
        const granted = quotaGrant({ used, closed, limit }, wanted)
        if (granted === 0) return { answer: 0 }
        const lastUpdate = new Date(clock.now()).toISOString()
        return { after: { ...add(record, mine, granted), lastUpdate }, answer: granted }
      }),
    giveBack: (account, count) =>
      change(account, (record, mine) => ({
        after: add(record, mine, -Math.min(count, record.used)),
        answer: undefined,
      })),
    close: (account) =>
      change(account, (record) => ({ after: { ...record, closed: true }, answer: undefined })),
    hold: (hold) =>
      documents.change<QuotaHold, void>(KEYS.hold(hold.channel, hold.credential), (before) =>
        before && before.until >= hold.until
          ? { answer: undefined }
          : { after: hold, answer: undefined },
      ),
    release: (channel, credential) => documents.remove(KEYS.hold(channel, credential)),
    async heldUntil(channel, credential) {
      const found = await documents.read<QuotaHold>(KEYS.hold(channel, credential))
      if (!found || found.until <= clock.now()) return undefined
      return { channel, credential, until: found.until, reason: found.reason }
    },
    async reconcile() {
      for (const [key, mine] of own) {
        if (mine.spent === 0) continue
        const { account, limit } = mine
        const used = await documents.change<QuotaRecord, number>(
          key,
          (found) => {
            const after = whole(found, mine)
            const isThere = found?.spenders?.[spender] === mine.spent
            return { ...(!isThere && { after }), answer: after.used }
          },
          KEPT_MS,
        )
        if (used > limit) tellOverrun({ account, used, limit })
      }
    },
  }
}

function sumOf(spenders: Readonly<Record<string, number>>): number {
  return Math.max(
    0,
    Object.values(spenders).reduce((sum, count) => sum + count, 0),
  )
}
