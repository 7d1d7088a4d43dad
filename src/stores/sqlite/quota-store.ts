import type { Clock } from '../../core/clock.ts'
import { quotaGrant } from '../../core/quota.ts'
import type { QuotaAccount, QuotaHold, QuotaStore } from '../quota-store.ts'
import { first, orUndefined, type Sql } from './sql.ts'

interface QuotaRow {
  readonly used: number
  readonly closed: number
  readonly lastSpentAt: number | null
}

export function sqliteQuotaStore(sql: Sql, clock: Clock): QuotaStore {
  const read = ({ channel, siteId, day }: QuotaAccount) => {
    const row = first(
      sql.all<QuotaRow>(
        `select used, closed, last_spent_at as lastSpentAt from quota
         where channel = ? and site_id = ? and day = ?`,
        channel,
        siteId,
        day,
      ),
    )
    return {
      used: row?.used ?? 0,
      closed: row?.closed === 1,
      lastSpentAt: orUndefined(row?.lastSpentAt ?? null),
    }
  }
  return {
    use: async (account) => read(account),
    spend: async (account, { wanted, limit }) =>
      sql.transaction(() => {
        const granted = quotaGrant({ ...read(account), limit }, wanted)
        if (granted === 0) return 0
        sql.run(
          `insert into quota (channel, site_id, day, used, closed, last_spent_at) values (?, ?, ?, ?, 0, ?)
           on conflict do update set used = used + excluded.used, last_spent_at = excluded.last_spent_at`,
          account.channel,
          account.siteId,
          account.day,
          granted,
          clock.now(),
        )
        return granted
      }),
    async giveBack({ channel, siteId, day }, count) {
      sql.run(
        'update quota set used = max(0, used - ?) where channel = ? and site_id = ? and day = ?',
        count,
        channel,
        siteId,
        day,
      )
    },
    async close({ channel, siteId, day }) {
      sql.run(
        `insert into quota (channel, site_id, day, used, closed) values (?, ?, ?, 0, 1)
         on conflict do update set closed = 1`,
        channel,
        siteId,
        day,
      )
    },
    async hold({ channel, credential, until, reason }) {
      sql.run(
        `insert into quota_hold (channel, credential, until, reason) values (?, ?, ?, ?)
         on conflict do update set until = excluded.until, reason = excluded.reason
           where excluded.until > quota_hold.until`,
        channel,
        credential,
        until,
        reason,
      )
    },
    async release(channel, credential) {
      sql.run('delete from quota_hold where channel = ? and credential = ?', channel, credential)
    },
    heldUntil: async (channel, credential) =>
      first(
        sql.all<QuotaHold>(
          `select channel, credential, until, reason from quota_hold
           where channel = ? and credential = ? and until > ?`,
          channel,
          credential,
          clock.now(),
        ),
      ),
  }
}
