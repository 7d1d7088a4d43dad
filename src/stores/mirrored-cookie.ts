import type { CookieRecord } from './cookie-store.ts'
import type { ToldRow } from './outbox-store.ts'

/** What people follow in the mirror: a mere use is not told. */
const VISIBLE = ['status', 'priority', 'dailyLimit', 'coolingUntil'] as const

export function isVisiblyChanged(before: readonly CookieRecord[], after: CookieRecord): boolean {
  const old = before.find(({ cookieName }) => cookieName === after.cookieName)
  return VISIBLE.some((field) => old?.[field] !== after[field])
}

/** What the mirror is told of a cookie: everything but its value. */
export function mirroredCookie(cookie: CookieRecord): ToldRow {
  return {
    table: 'tbl_cookie',
    key: cookie.cookieName,
    fields: cookieFields(cookie),
  }
}

/** A cookie under the names of its table, for whoever is told of it. */
export function cookieFields(cookie: Omit<CookieRecord, 'cookieEncrypted' | 'usedDay'>) {
  return {
    cookie_name: cookie.cookieName,
    platform: cookie.platform,
    encryption_key_id: cookie.encryptionKeyId,
    status: cookie.status,
    priority: cookie.priority,
    daily_used: cookie.dailyUsed,
    daily_limit: cookie.dailyLimit,
    consecutive_errors: cookie.consecutiveErrors,
    total_errors: cookie.totalErrors,
    cooling_until: cookie.coolingUntil ?? null,
    created_at: cookie.createdAt,
    updated_at: cookie.updatedAt,
  }
}
