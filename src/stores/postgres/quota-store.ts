import { quotaGrant } from '../../core/quota.ts'
import type { QuotaAccount, QuotaHold, QuotaStore, QuotaUse } from '../quota-store.ts'
import { type Database, first, orUndefined, type Sql } from './sql.ts'

interface QuotaRow {
  readonly used: number
  readonly closed: boolean
  readonly lastSpentAt: number | null
}

export function postgresQuotaStore(database: Database): QuotaStore {
  return {
    use: (account) => read(database.repeatable, account),
    spend: (account, { wanted, limit }) =>
      database.transaction(async (sql) => {
        // A row to lock, also for the first who spends.
        await sql.run(
          `insert into quota (channel, site_id, day, used, closed) values ($1, $2, $3, 0, false)
           on conflict do nothing`,
          ...keyOf(account),
        )
        const granted = quotaGrant({ ...(await read(sql, account, 'for update')), limit }, wanted)
        if (granted === 0) return 0
        await sql.run(
          `update quota set used = used + $4::bigint, last_spent_at = sluice_now()
           where channel = $1 and site_id = $2 and day = $3`,
          ...keyOf(account),
          granted,
        )
        return granted
      }),
    async giveBack(account, count) {
      await database.run(
        `update quota set used = greatest(0, used - $4::bigint)
         where channel = $1 and site_id = $2 and day = $3`,
        ...keyOf(account),
        count,
      )
    },
    async close(account) {
      await database.repeatable.run(
        `insert into quota (channel, site_id, day, used, closed) values ($1, $2, $3, 0, true)
         on conflict (channel, site_id, day) do update set closed = true`,
        ...keyOf(account),
      )
    },
    async hold({ channel, credential, until, reason }) {
      await database.repeatable.run(
        `insert into quota_hold (channel, credential, until, reason) values ($1, $2, $3, $4)
         on conflict (channel, credential) do update set until = excluded.until, reason = excluded.reason
           where excluded.until > quota_hold.until`,
        channel,
        credential,
        until,
        reason,
      )
    },
    async release(channel, credential) {
      await database.repeatable.run(
        'delete from quota_hold where channel = $1 and credential = $2',
        channel,
        credential,
      )
    },
    heldUntil: async (channel, credential) =>
      first(
        await database.repeatable.all<QuotaHold>(
          `select channel, credential, until, reason from quota_hold
           where channel = $1 and credential = $2 and until > sluice_now()`,
          channel,
          credential,
        ),
      ),
  }
}

function keyOf({ channel, siteId, day }: QuotaAccount): readonly [string, string, string] {
  return [channel, siteId, day]
}

async function read(
  sql: Sql,
  account: QuotaAccount,
  lock: 'for update' | '' = '',
): Promise<QuotaUse> {
  const row = first(
    await sql.all<QuotaRow>(
      `select used, closed, last_spent_at as "lastSpentAt" from quota
       where channel = $1 and site_id = $2 and day = $3 ${lock}`,
      ...keyOf(account),
    ),
  )
  return {
    used: row?.used ?? 0,
    closed: row?.closed ?? false,
    lastSpentAt: orUndefined(row?.lastSpentAt ?? null),
  }
}
