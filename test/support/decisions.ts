import { stepAlert, type AlertState } from '../../src/core/alert.ts'
import type { CookieRecord } from '../../src/stores/cookie-store.ts'

/** Decisions that a store's call takes as a function, by name: so that they can be asked for in another process. */
export const DECISIONS = {
  useLeastUsed: (cookies: readonly CookieRecord[]) => {
    const [cookie] = cookies
      .filter(({ dailyUsed, dailyLimit }) => dailyUsed < dailyLimit)
      .sort((a, b) => a.dailyUsed - b.dailyUsed)
    if (!cookie) return { changed: [], answer: undefined }
    return { changed: [{ ...cookie, dailyUsed: cookie.dailyUsed + 1 }], answer: cookie.cookieName }
  },
  coolAll: (cookies: readonly CookieRecord[]) => ({
    changed: cookies.map((cookie) => ({ ...cookie, status: 'cooling' as const, coolingUntil: 99 })),
    answer: cookies.length,
  }),
  raise: (before: AlertState | undefined) =>
    stepAlert(before, {
      rule: { key: 'quota', severity: 'P1', raiseAfterMs: 0, clearAfterMs: 0 },
      wrong: { title: 'Quota', cause: 'It is used up.', advice: 'Wait for midnight.' },
      now: 1_000,
    }),
  clear: (before: AlertState | undefined) =>
    stepAlert(before, {
      rule: { key: 'quota', severity: 'P1', raiseAfterMs: 0, clearAfterMs: 0 },
      wrong: undefined,
      now: 2_000,
    }),
}

export type DecisionName = keyof typeof DECISIONS
