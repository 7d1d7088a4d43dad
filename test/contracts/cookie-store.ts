import { describe, expect, it } from 'vitest'
import { utcDayOf } from '../../src/core/utc-day.ts'
import type { CookieRecord } from '../../src/stores/cookie-store.ts'
import { DECISIONS } from '../support/decisions.ts'
import { type Backend, begin } from './backend.ts'
import { survivesKill } from './survives-kill.ts'

const origin = { requestId: 'req-1' }
const { useLeastUsed, coolAll } = DECISIONS

function cookie(change: Partial<CookieRecord> = {}): CookieRecord {
  return {
    cookieName: 'account_01',
    platform: 'xhs',
    cookieEncrypted: 'sealed-1',
    encryptionKeyId: 'k1',
    status: 'active',
    priority: 10,
    dailyUsed: 0,
    usedDay: utcDayOf(0),
    dailyLimit: 100,
    consecutiveErrors: 0,
    totalErrors: 0,
    coolingUntil: undefined,
    createdAt: 1,
    updatedAt: 1,
    ...change,
  }
}

export function cookieStoreContract(backend: Backend) {
  describe(`CookieStore: ${backend.name}`, () => {
    it('keeps a cookie as it was given, by platform and name', async () => {
      const { stores } = await begin(backend)
      const [b, a, weibo] = [
        cookie({ cookieName: 'b' }),
        cookie({ cookieName: 'a' }),
        cookie({ cookieName: 'w', platform: 'weibo' }),
      ]
      for (const one of [b, weibo, a]) await stores.cookies.add(one, origin)
      expect(await stores.cookies.list()).toEqual([weibo, a, b])
    })

    it('refuses a second cookie of the same name', async () => {
      const { stores } = await begin(backend)
      await stores.cookies.add(cookie(), origin)
      expect(await stores.cookies.add(cookie({ cookieEncrypted: 'other' }), origin)).toEqual({
        ok: false,
        failure: { kind: 'cookie-exists', cookieName: 'account_01' },
      })
      expect(await stores.cookies.list()).toEqual([cookie()])
    })

    it('shows a decision all cookies of the platform, and writes what it changed', async () => {
      const { stores, clock } = await begin(backend)
      await stores.cookies.add(cookie(), origin)
      await stores.cookies.add(cookie({ cookieName: 'other', platform: 'weibo' }), origin)
      expect(await stores.cookies.decide('xhs', coolAll, origin)).toBe(1)
      expect(await stores.cookies.list()).toEqual([
        cookie({ cookieName: 'other', platform: 'weibo' }),
        cookie({ status: 'cooling', coolingUntil: 99, updatedAt: clock.now() }),
      ])
    })

    it('never gives the last use of a cookie twice', async () => {
      const { stores, another } = await begin(backend)
      const second = await another()
      await stores.cookies.add(cookie({ dailyLimit: 3 }), origin)
      const used = await Promise.all(
        Array.from({ length: 8 }, (_, i) =>
          (i % 2 ? stores : second).cookies.decide('xhs', useLeastUsed, origin),
        ),
      )
      expect(used.filter(Boolean)).toHaveLength(3)
    })

    it.skipIf(backend.oneProcessOnly)('never does so among processes', async () => {
      const { stores, twoProcesses } = await begin(backend)
      await stores.cookies.add(cookie({ dailyLimit: 15 }), origin)
      const inTurn = await twoProcesses()
      const used = await Promise.all(
        Array.from({ length: 40 }, (_, i) => inTurn(i).cookies.decide('xhs', useLeastUsed, origin)),
      )
      expect(used.filter(Boolean)).toHaveLength(15)
    })

    it('exchanges the sealed value only for the one that was read', async () => {
      const { stores } = await begin(backend)
      await stores.cookies.add(cookie(), origin)
      const exchange = { from: 'sealed-1', to: 'sealed-2', encryptionKeyId: 'k2' }
      expect(await stores.cookies.reseal('account_01', exchange)).toBe(true)
      expect(await stores.cookies.reseal('account_01', exchange)).toBe(false)
      expect(await stores.cookies.list()).toMatchObject([
        { cookieEncrypted: 'sealed-2', encryptionKeyId: 'k2' },
      ])
    })

    it('keeps a value that was exchanged while a decision was made on the old one', async () => {
      const { stores } = await begin(backend)
      await stores.cookies.add(cookie(), origin)
      const [read] = await stores.cookies.list()
      await stores.cookies.reseal('account_01', {
        from: 'sealed-1',
        to: 'sealed-2',
        encryptionKeyId: 'k2',
      })
      await stores.cookies.decide('xhs', () => ({ changed: read ? [read] : [], answer: 0 }), origin)
      expect(await stores.cookies.list()).toMatchObject([{ cookieEncrypted: 'sealed-2' }])
    })

    it('mirrors what people follow, never a mere use nor the sealed value', async () => {
      const { stores } = await begin(backend)
      await stores.cookies.add(cookie(), origin)
      await stores.cookies.decide('xhs', useLeastUsed, origin)
      await stores.cookies.decide('xhs', coolAll, { requestId: 'req-2' })
      const entries = await stores.outbox.page(9)
      expect(entries).toMatchObject([
        {
          table: 'tbl_cookie',
          key: 'account_01',
          requestId: 'req-1',
          fields: { status: 'active' },
        },
        {
          table: 'tbl_cookie',
          key: 'account_01',
          requestId: 'req-2',
          fields: { status: 'cooling' },
        },
      ])
      expect(JSON.stringify(entries)).not.toContain('sealed-1')
    })

    it.skipIf(backend.oneProcessOnly)(
      'survives a kill between the change and its outbox entry',
      () =>
        survivesKill(backend, {
          arrange: ({ cookies }) => cookies.add(cookie(), origin),
          act: ({ cookies }) => cookies.decide('xhs', coolAll, origin),
          look: async ({ cookies, outbox }) => [
            await cookies.list(),
            (await outbox.page(9)).map(({ fields }) => fields),
          ],
        }),
    )
  })
}
