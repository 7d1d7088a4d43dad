import { describe, expect, it } from 'vitest'
import { COOKIE_LIMITS } from '../../../src/collect/cookies/limits.ts'
import { type CookieEvent, isAwake, nextState } from '../../../src/collect/cookies/state.ts'
import type { CookieRecord, CookieStatus } from '../../../src/stores/cookie-store.ts'
import type { UtcDay } from '../../../src/core/utc-day.ts'
import { scenario } from '../../support/scenario.ts'

const NOW = 1_000_000
const COOLING_MS = 30_000
const RESTING_UNTIL = NOW - 1

/** Has erred twice in a row and five times in all. */
function cookieIn(status: CookieStatus, more: Partial<CookieRecord> = {}): CookieRecord {
  return {
    cookieName: 'a',
    platform: 'xhs',
    cookieEncrypted: 'sealed',
    encryptionKeyId: 'k1',
    status,
    priority: 0,
    dailyUsed: 7,
    usedDay: '1970-01-01' as UtcDay,
    dailyLimit: 100,
    consecutiveErrors: 2,
    totalErrors: 5,
    coolingUntil: status === 'cooling' ? RESTING_UNTIL : undefined,
    createdAt: 1,
    updatedAt: 1,
    ...more,
  }
}

type Became = readonly [
  status: CookieStatus,
  consecutiveErrors: number,
  totalErrors: number,
  coolingUntil?: number,
]

const AS_IT_WAS = 'as it was'
type Cell = Became | typeof AS_IT_WAS

const OUT_OF_USE: Readonly<Record<CookieEvent, Cell>> = {
  worked: AS_IT_WAS,
  refused: AS_IT_WAS,
  'probe-worked': AS_IT_WAS,
  'probe-refused': AS_IT_WAS,
  'probe-inconclusive': AS_IT_WAS,
  disabled: ['disabled', 2, 5],
  reactivated: ['active', 0, 0],
}

/** Every cell of the table in state.ts, for a cookie with two errors in a row and five in all. */
const TABLE: Readonly<Record<CookieStatus, Readonly<Record<CookieEvent, Cell>>>> = {
  active: {
    worked: ['active', 0, 5],
    refused: ['cooling', 3, 6, NOW + COOLING_MS],
    'probe-worked': ['active', 0, 5],
    'probe-refused': ['cooling', 3, 6, NOW + COOLING_MS],
    'probe-inconclusive': AS_IT_WAS,
    disabled: ['disabled', 2, 5],
    reactivated: ['active', 0, 0],
  },
  cooling: {
    worked: AS_IT_WAS,
    refused: ['cooling', 3, 6, RESTING_UNTIL],
    'probe-worked': ['active', 0, 5],
    'probe-refused': ['banned', 3, 6],
    'probe-inconclusive': ['cooling', 2, 5, NOW],
    disabled: ['disabled', 2, 5],
    reactivated: ['active', 0, 0],
  },
  invalid: OUT_OF_USE,
  banned: OUT_OF_USE,
  disabled: OUT_OF_USE,
}

const fieldsOf = ([status, consecutiveErrors, totalErrors, coolingUntil]: Became) => ({
  status,
  consecutiveErrors,
  totalErrors,
  coolingUntil,
})

const cells = Object.entries(TABLE).flatMap(([status, row]) =>
  Object.entries(row).map(
    ([event, cell]) => [status as CookieStatus, event as CookieEvent, cell] as const,
  ),
)

const next = (cookie: CookieRecord, event: CookieEvent) =>
  nextState(cookie, event, { now: NOW, coolingMs: COOLING_MS })

describe('a cookie', () => {
  it.each(cells)('C10 — %s, then %s: %j', (status, event, cell) => {
    const cookie = cookieIn(status)

    const after = next(cookie, event)

    expect(after).toEqual(cell === AS_IT_WAS ? cookie : { ...cookie, ...fieldsOf(cell) })
  })

  scenario('C10', 'below three errors in a row it goes on, at ten in all it ends', () => {
    const fresh = cookieIn('active', { consecutiveErrors: 0, totalErrors: 0 })
    const worn = cookieIn('active', {
      consecutiveErrors: 0,
      totalErrors: COOKIE_LIMITS.totalErrors - 1,
    })

    expect(next(fresh, 'refused')).toMatchObject({ status: 'active', consecutiveErrors: 1 })
    expect(next(worn, 'refused')).toMatchObject({ status: 'invalid', totalErrors: 10 })
    // Both limits at once: it does not rest, it ends.
    expect(next({ ...worn, consecutiveErrors: 2 }, 'refused')).toMatchObject({
      status: 'invalid',
      coolingUntil: undefined,
    })
  })

  scenario('C10', 'is used while it is active, or rested to the end', () => {
    const awake = (status: CookieStatus, coolingUntil?: number) =>
      isAwake(cookieIn(status, { coolingUntil }), NOW)

    expect(awake('active')).toBe(true)
    expect([awake('cooling', NOW + 1), awake('cooling', NOW)]).toEqual([false, true])
    expect([awake('invalid'), awake('banned'), awake('disabled')]).toEqual([false, false, false])
  })
})
