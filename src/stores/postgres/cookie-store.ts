import { fail, ok } from '../../core/result.ts'
import type { CookieRecord, CookieStore } from '../cookie-store.ts'
import { isVisiblyChanged, mirroredCookie } from '../mirrored-cookie.ts'
import { mirror } from './outbox-store.ts'
import { type Database, orNull, orUndefined, type Sql } from './sql.ts'

type CookieRow = Omit<CookieRecord, 'coolingUntil'> & { readonly coolingUntil: number | null }

const COOKIE = `cookie_name as "cookieName", platform, cookie_encrypted as "cookieEncrypted",
  encryption_key_id as "encryptionKeyId", status, priority, daily_used as "dailyUsed", used_day as "usedDay",
  daily_limit as "dailyLimit", consecutive_errors as "consecutiveErrors", total_errors as "totalErrors",
  cooling_until as "coolingUntil", created_at as "createdAt", updated_at as "updatedAt"`

export function postgresCookieStore(database: Database): CookieStore {
  return {
    add: (cookie, origin) =>
      database.transaction(async (sql) => {
        if ((await insert(sql, cookie)) === 0) {
          return fail({ kind: 'cookie-exists', cookieName: cookie.cookieName })
        }
        await mirror(sql, [mirroredCookie(cookie)], origin)
        return ok(undefined)
      }),
    list: async () =>
      (
        await database.repeatable.all<CookieRow>(
          `select ${COOKIE} from tbl_cookie order by platform, cookie_name`,
        )
      ).map(cookieOf),
    decide: (platform, decide, origin) =>
      database.transaction(async (sql) => {
        // Locked in one order: of two decisions the second sees what the first has changed.
        const rows = await sql.all<CookieRow>(
          `select ${COOKIE} from tbl_cookie where platform = $1 order by cookie_name for update`,
          platform,
        )
        const before = rows.map(cookieOf)
        const { changed, answer } = decide(before)
        for (const cookie of changed) await update(sql, cookie)
        const visible = changed.filter((cookie) => isVisiblyChanged(before, cookie))
        await mirror(sql, visible.map(mirroredCookie), origin)
        return answer
      }),
    reseal: async (cookieName, { from, to, encryptionKeyId }) =>
      (await database.run(
        `update tbl_cookie set cookie_encrypted = $1, encryption_key_id = $2, updated_at = sluice_now()
         where cookie_name = $3 and cookie_encrypted = $4`,
        to,
        encryptionKeyId,
        cookieName,
        from,
      )) === 1,
  }
}

function cookieOf(row: CookieRow): CookieRecord {
  return { ...row, coolingUntil: orUndefined(row.coolingUntil) }
}

function insert(sql: Sql, cookie: CookieRecord): Promise<number> {
  return sql.run(
    `insert into tbl_cookie (cookie_name, platform, cookie_encrypted, encryption_key_id, status, priority,
       daily_used, used_day, daily_limit, consecutive_errors, total_errors, cooling_until, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14) on conflict do nothing`,
    cookie.cookieName,
    cookie.platform,
    cookie.cookieEncrypted,
    cookie.encryptionKeyId,
    cookie.status,
    cookie.priority,
    cookie.dailyUsed,
    cookie.usedDay,
    cookie.dailyLimit,
    cookie.consecutiveErrors,
    cookie.totalErrors,
    orNull(cookie.coolingUntil),
    cookie.createdAt,
    cookie.updatedAt,
  )
}

/** Everything but the sealed value, which only `reseal` exchanges. */
async function update(sql: Sql, cookie: CookieRecord): Promise<void> {
  await sql.run(
    `update tbl_cookie set status = $1, priority = $2, daily_used = $3, used_day = $4, daily_limit = $5,
       consecutive_errors = $6, total_errors = $7, cooling_until = $8, updated_at = sluice_now()
     where cookie_name = $9`,
    cookie.status,
    cookie.priority,
    cookie.dailyUsed,
    cookie.usedDay,
    cookie.dailyLimit,
    cookie.consecutiveErrors,
    cookie.totalErrors,
    orNull(cookie.coolingUntil),
    cookie.cookieName,
  )
}
