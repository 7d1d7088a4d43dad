import type { Clock } from '../../core/clock.ts'
import { fail, ok } from '../../core/result.ts'
import type { CookieRecord, CookieStore } from '../cookie-store.ts'
import { isVisiblyChanged, mirroredCookie } from '../mirrored-cookie.ts'
import type { Mirror } from './mirror.ts'
import { orNull, orUndefined, type Sql } from './sql.ts'

type CookieRow = Omit<CookieRecord, 'coolingUntil'> & { readonly coolingUntil: number | null }

const COOKIE = `cookie_name as cookieName, platform, cookie_encrypted as cookieEncrypted,
  encryption_key_id as encryptionKeyId, status, priority, daily_used as dailyUsed, used_day as usedDay,
  daily_limit as dailyLimit, consecutive_errors as consecutiveErrors, total_errors as totalErrors,
  cooling_until as coolingUntil, created_at as createdAt, updated_at as updatedAt`

export function sqliteCookieStore(sql: Sql, clock: Clock, mirror: Mirror): CookieStore {
  return {
    add: async (cookie, origin) =>
      sql.transaction(() => {
        if (insert(sql, cookie) === 0) {
          return fail({ kind: 'cookie-exists', cookieName: cookie.cookieName })
        }
        mirror.rows([mirroredCookie(cookie)], origin)
        return ok(undefined)
      }),
    list: async () =>
      sql
        .all<CookieRow>(`select ${COOKIE} from tbl_cookie order by platform, cookie_name`)
        .map(cookieOf),
    decide: async (platform, decide, origin) =>
      sql.transaction(() => {
        const before = sql
          .all<CookieRow>(
            `select ${COOKIE} from tbl_cookie where platform = ? order by cookie_name`,
            platform,
          )
          .map(cookieOf)
        const { changed, answer } = decide(before)
        for (const cookie of changed) update(sql, cookie, clock.now())
        const visible = changed.filter((cookie) => isVisiblyChanged(before, cookie))
        mirror.rows(visible.map(mirroredCookie), origin)
        return answer
      }),
    reseal: async (cookieName, { from, to, encryptionKeyId }) =>
      sql.run(
        `update tbl_cookie set cookie_encrypted = ?, encryption_key_id = ?, updated_at = ?
         where cookie_name = ? and cookie_encrypted = ?`,
        to,
        encryptionKeyId,
        clock.now(),
        cookieName,
        from,
      ) === 1,
  }
}

function cookieOf(row: CookieRow): CookieRecord {
  return { ...row, coolingUntil: orUndefined(row.coolingUntil) }
}

function insert(sql: Sql, cookie: CookieRecord): number {
  return sql.run(
    `insert into tbl_cookie (cookie_name, platform, cookie_encrypted, encryption_key_id, status, priority,
       daily_used, used_day, daily_limit, consecutive_errors, total_errors, cooling_until, created_at, updated_at)
     values (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) on conflict do nothing`,
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
function update(sql: Sql, cookie: CookieRecord, now: number): void {
  sql.run(
    `update tbl_cookie set status = ?, priority = ?, daily_used = ?, used_day = ?, daily_limit = ?,
       consecutive_errors = ?, total_errors = ?, cooling_until = ?, updated_at = ?
     where cookie_name = ?`,
    cookie.status,
    cookie.priority,
    cookie.dailyUsed,
    cookie.usedDay,
    cookie.dailyLimit,
    cookie.consecutiveErrors,
    cookie.totalErrors,
    orNull(cookie.coolingUntil),
    now,
    cookie.cookieName,
  )
}
