import { describe, expect, it, onTestFinished } from 'vitest'
import { minutes, seconds } from '../../../../src/core/duration.ts'
import { FakeClock } from '../../fake-clock.ts'
import { afterEffect, answers, breaks } from '../stand-in.ts'
import { type BitableOptions, openBitable } from './bitable.ts'
import { TABLE_WRITES } from './calls.ts'
import { refuses } from './codes.ts'

const UUID = 'fe599b60-450f-46ff-b2ef-9f6675625b97'
const FIELDS = [
  { field_name: 'key', type: 1 },
  { field_name: 'count', type: 2 },
  { field_name: 'status', type: 3 },
  { field_name: 'seen', type: 5 },
  { field_name: 'done', type: 7 },
  { field_name: 'made', type: 1001 },
]

interface Answer {
  readonly status: number
  readonly code: number
  readonly data: {
    readonly items?: readonly { fields: Record<string, unknown>; record_id: string }[]
    readonly record?: { readonly record_id: string }
  }
}

async function open(options: Partial<BitableOptions> = {}) {
  const clock = new FakeClock('2025-01-15T12:00:00Z')
  const bitable = await openBitable({ clock, callsPerSecond: 1_000, ...options })
  onTestFinished(() => bitable.close())

  const login = async (secret = bitable.app.appSecret) => {
    const answer = await fetch(`${bitable.origin}/open-apis/auth/v3/tenant_access_token/internal`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ app_id: bitable.app.appId, app_secret: secret }),
    })
    return (await answer.json()) as { code: number; tenant_access_token: string; expire: number }
  }
  let token = (await login()).tenant_access_token
  const call = async (method: string, path: string, body?: unknown): Promise<Answer> => {
    const url = `${bitable.origin}/open-apis/bitable/v1/apps/${bitable.appToken}/tables${path}`
    const answer = await fetch(url, {
      method,
      headers: { 'content-type': 'application/json', authorization: `Bearer ${token}` },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    return { status: answer.status, ...((await answer.json()) as Omit<Answer, 'status'>) }
  }
  await call('POST', '', { table: { name: 'notes', fields: FIELDS } })
  const records = `/${bitable.tableId('notes')}/records`
  return {
    clock,
    bitable,
    login,
    use: (other: string) => {
      token = other
    },
    call,
    create: (fields: unknown, query = '') => call('POST', `${records}${query}`, { fields }),
    records,
    keys: async (filter: unknown) => {
      const { code, data } = await call('POST', `${records}/search`, {
        filter,
        field_names: ['key'],
      })
      const texts = data?.items?.map(({ fields }) => (fields['key'] as { text: string }[])[0]?.text)
      return texts?.join(' ') ?? code
    },
  }
}

const where = (...conditions: [field_name: string, operator: string, ...value: string[]][]) => ({
  conjunction: 'and',
  conditions: conditions.map(([field_name, operator, ...value]) => ({
    field_name,
    operator,
    value,
  })),
})

describe('tokens of Bitable', () => {
  it('live two hours, and are renewed in the last half hour', async () => {
    const { clock, login, use, call } = await open()
    const first = await login()

    clock.advance(minutes(89))
    const same = await login()
    clock.advance(minutes(2))
    const next = await login()
    clock.advance(minutes(29))
    use(first.tenant_access_token)
    const late = await call('GET', '')
    use(next.tenant_access_token)
    const renewed = await call('GET', '')

    expect(first.expire).toBe(7_200)
    expect(same.tenant_access_token).toBe(first.tenant_access_token)
    expect(next.tenant_access_token).not.toBe(first.tenant_access_token)
    expect([late.status, late.code]).toEqual([400, 99991663])
    expect(renewed.code).toBe(0)
  })

  it('are refused when they are missing, unknown or expired at once', async () => {
    const { bitable, login, use, call } = await open()
    const { tenant_access_token: token } = await login()

    const bare = await fetch(`${bitable.origin}/open-apis/bitable/v1/apps/x/tables`)
    use('t-unknown')
    const unknown = await call('GET', '')
    use(token)
    bitable.expireTokens()
    const expired = await call('GET', '')
    const again = await login()

    expect([bare.status, await bare.json()]).toMatchObject([400, { code: 99991661 }])
    expect([unknown.code, expired.code]).toEqual([99991663, 99991663])
    expect(again.tenant_access_token).not.toBe(token)
    expect(await login('wrong')).toMatchObject({ code: 10014 })
  })
})

describe('writes to a table', () => {
  it('conflict when they overlap, and the later one is not done', async () => {
    const { bitable, call, create } = await open()
    await call('POST', '', { table: { name: 'other' } })
    const release = bitable.holdWrites()
    const arrived = bitable.arrival()
    const first = create({ key: 'a' })
    await arrived

    const [second, third] = [await create({ key: 'b' }), await create({ key: 'c' })]
    const elsewhere = call('POST', `/${bitable.tableId('other')}/records`, { fields: {} })
    release()

    expect([second.code, third.code]).toEqual([1254291, 1254291])
    expect([(await first).code, (await elsewhere).code]).toEqual([0, 0])
    expect(bitable.rows('notes').map(({ fields }) => fields['key'])).toEqual(['a'])
    expect(bitable.conflicts).toHaveLength(2)
    expect((await create({ key: 'b' })).code).toBe(0)
  })

  it('are limited by the second', async () => {
    const { clock, create } = await open({ callsPerSecond: 3, writeMs: 0 })

    const codes = []
    for (const key of ['a', 'b', 'c', 'd']) codes.push((await create({ key })).code)
    clock.advance(seconds(1))
    codes.push((await create({ key: 'e' })).code)

    expect(codes).toEqual([0, 0, 0, 1254290, 0])
  })

  it('are done once per client token, as long as it is remembered', async () => {
    const { clock, bitable, create } = await open({ clientTokenMs: minutes(5) })
    const query = `?client_token=${UUID}`

    const first = await create({ key: 'a' }, query)
    const again = await create({ key: 'a' }, query)
    const other = await create({ key: 'b' }, query)
    clock.advance(minutes(6))
    const late = await create({ key: 'a' }, query)

    expect(again.data.record?.record_id).toBe(first.data.record?.record_id)
    expect([other.status, other.code]).toEqual([400, 1255006])
    expect(late.data.record?.record_id).not.toBe(first.data.record?.record_id)
    expect(bitable.rows('notes')).toHaveLength(2)
  })

  it('are refused past the size of a batch, and when they are malformed', async () => {
    const { bitable, call, records } = await open()
    const many = (count: number) => ({
      records: Array.from({ length: count }, () => ({ fields: {} })),
    })

    const most = await call('POST', `${records}/batch_create`, many(1_000))
    const tooMany = await call('POST', `${records}/batch_create`, many(1_001))
    const none = await call('POST', `${records}/batch_create`, {})
    const wrong = await call('PATCH', records, {}).catch(() => undefined)

    expect([most.code, tooMany.code]).toEqual([0, 1254104])
    expect([none.status, none.code]).toEqual([400, 99992402])
    expect(wrong).toBeUndefined()
    expect(bitable.complaints).toHaveLength(1)
    expect(bitable.rows('notes')).toHaveLength(1_000)
  })
})

describe('searches', () => {
  const at = (instant: string) => String(Date.parse(instant))
  const cases: [string, unknown, string | number][] = [
    ['a text', where(['key', 'is', 'a1']), 'a1'],
    ['another text', where(['key', 'isNot', 'a1']), 'a2 b3'],
    ['a part of a text', where(['key', 'contains', 'a']), 'a1 a2'],
    ['no part of a text', where(['key', 'doesNotContain', 'a']), 'b3'],
    ['an empty cell', where(['count', 'isEmpty']), 'b3'],
    ['a full cell', where(['count', 'isNotEmpty']), 'a1 a2'],
    ['a number', where(['count', 'is', '10.0']), 'a1'],
    ['a greater number', where(['count', 'isGreater', '10']), 'a2'],
    ['a number not smaller', where(['count', 'isGreaterEqual', '10']), 'a1 a2'],
    ['a smaller number', where(['count', 'isLess', '20']), 'a1'],
    ['a number not greater', where(['count', 'isLessEqual', '20']), 'a1 a2'],
    ['a choice', where(['status', 'is', 'new']), 'a1 b3'],
    ['another choice', where(['status', 'isNot', 'new']), 'a2'],
    ['one of some choices', where(['status', 'contains', 'old', 'new']), 'a1 a2 b3'],
    ['a tick', where(['done', 'is', 'true']), 'a1'],
    ['no tick', where(['done', 'is', 'false']), 'a2 b3'],
    ['two conditions', where(['status', 'is', 'new'], ['key', 'contains', 'a']), 'a1'],
    [
      'either condition',
      { ...where(['key', 'is', 'b3'], ['count', 'is', '20']), conjunction: 'or' },
      'a2 b3',
    ],
    [
      'groups of conditions',
      {
        conjunction: 'and',
        children: [
          { ...where(['key', 'is', 'a1'], ['key', 'is', 'a2']), conjunction: 'or' },
          where(['status', 'is', 'old']),
        ],
      },
      'a2',
    ],
    // Half past ten in the evening of the 14th by UTC is the 15th in the Base's time zone, where a day begins at 16:00 UTC.
    ['a day', where(['seen', 'is', 'ExactDate', at('2025-01-14T22:30:00Z')]), 'a1 a2'],
    [
      'after a moment',
      where(['seen', 'isGreater', 'ExactDate', at('2025-01-15T15:00:00Z')]),
      'a1 a2 b3',
    ],
    ['before a moment', where(['seen', 'isLess', 'ExactDate', at('2025-01-15T15:00:00Z')]), ''],
    [
      'before the next day',
      where(['seen', 'isLess', 'ExactDate', at('2025-01-15T16:00:00Z')]),
      'a1 a2',
    ],
    ['today', where(['seen', 'is', 'Today']), 'a1 a2'],
    ['tomorrow', where(['seen', 'is', 'Tomorrow']), 'b3'],
    ['a time that Bitable keeps', where(['made', 'is', 'Today']), 'a1 a2 b3'],
    ['an unknown field', where(['nokey', 'is', 'a']), 1254018],
    ['an unknown operator', where(['key', 'like', 'a']), 1254018],
    ['an operator of other fields', where(['key', 'isGreater', 'a']), 1254018],
    ['no finer than a day', where(['seen', 'isGreaterEqual', 'ExactDate', '0']), 1254018],
    ['a value where none may be', where(['key', 'isEmpty', 'a']), 1254018],
    [
      'no value at all',
      { conjunction: 'and', conditions: [{ field_name: 'key', operator: 'isEmpty' }] },
      1254018,
    ],
    ['no conjunction', { conditions: [] }, 1254018],
    [
      'too many conditions',
      where(...Array.from({ length: 51 }, () => ['key', 'is', 'a'] as [string, string, string])),
      1254018,
    ],
  ]
  it.each(cases)('find %s', async (_, filter, found) => {
    const { bitable, keys } = await open()
    const [early, noon, later] = ['2025-01-14T17:00Z', '2025-01-15T12:00Z', '2025-01-15T20:00Z']
    bitable.addRow('notes', {
      key: 'a1',
      count: 10,
      status: 'new',
      done: true,
      seen: Date.parse(early ?? ''),
    })
    bitable.addRow('notes', { key: 'a2', count: 20, status: 'old', seen: Date.parse(noon ?? '') })
    bitable.addRow('notes', {
      key: 'b3',
      status: 'new',
      done: false,
      seen: Date.parse(later ?? ''),
    })

    expect(await keys(filter)).toBe(found)
  })

  it('see what the index has, reads by id what is there', async () => {
    const { bitable, call, create, keys, records } = await open()
    await create({ key: 'a' })
    bitable.stopIndexing()
    const created = await create({ key: 'b' })

    const stale = await keys(undefined)
    const got = await call('GET', `${records}/${created.data.record?.record_id}`)
    bitable.catchUp()

    expect([stale, got.code]).toEqual(['a', 0])
    expect(await keys(undefined)).toBe('a b')
  })

  it('are as slow as they are told to be', async () => {
    const { clock, bitable, keys } = await open()
    bitable.slowPages(seconds(7))

    await keys(undefined)

    expect(clock.slept.at(-1)).toBe(seconds(7))
  })
})

describe('what a person does in Bitable', () => {
  it('is seen by those who search', async () => {
    const { bitable, keys } = await open()

    const id = bitable.addRow('notes', { key: 'a' })
    bitable.addRow('notes', { key: 'b' })
    bitable.changeRow('notes', id, { key: 'c' })
    const seen = await keys(undefined)
    bitable.removeRow('notes', id)

    expect(seen).toBe('c b')
    expect(await keys(undefined)).toBe('b')
  })

  it('makes links of addresses, which a program does not', async () => {
    const { bitable, call, create, keys, records } = await open()
    const key = 'see https://example.com/1?a=b and https://example.com/2'
    const texts = async () => {
      const { data } = await call('POST', `${records}/search`, {})
      return data.items?.map(({ fields }) => fields['key'])
    }

    const id = bitable.addRow('notes', { key })
    await create({ key })
    const [typed, written] = (await texts()) ?? []
    const found = await call('POST', `${records}/search`, { filter: where(['key', 'is', key]) })
    await call('PUT', `${records}/${id}`, { fields: { key } })

    expect(typed).toEqual([
      { text: 'see ', type: 'text' },
      { link: 'https://example.com/1?a=b', text: 'https://example.com/1?a=b', type: 'url' },
      { text: ' and ', type: 'text' },
      { link: 'https://example.com/2', text: 'https://example.com/2', type: 'url' },
    ])
    expect(written).toEqual([{ text: key, type: 'text' }])
    expect(found.data.items).toHaveLength(2)
    expect(await texts()).toEqual([written, written])
    expect(await keys(where(['key', 'isEmpty']))).toBe('')
  })

  it('leaves empty rows behind', async () => {
    const { bitable, call, records } = await open()

    const record_id = bitable.addRow('notes', {})
    const { data } = await call('POST', `${records}/search`, { field_names: ['key'] })

    expect(data.items).toEqual([{ fields: {}, record_id }])
  })
})

describe('faults', () => {
  it('meet the calls that they are meant for, and no others', async () => {
    const { bitable, create, keys } = await open()
    bitable.meet(TABLE_WRITES, refuses(1254291), refuses(1254607), answers(502))

    const read = await keys(undefined)
    const first = await create({ key: 'a' })
    const second = await create({ key: 'b' })
    const third = await create({ key: 'c' }).catch(() => 'no JSON')
    const fourth = await create({ key: 'd' })

    expect(read).toBe('')
    expect([first, second].map(({ status, code }) => [status, code])).toEqual([
      [200, 1254291],
      [400, 1254607],
    ])
    expect([third, fourth.code]).toEqual(['no JSON', 0])
    expect(await keys(undefined)).toBe('d')
  })

  it('last as long as they are told to', async () => {
    const { bitable, create } = await open()
    bitable.keepMeeting(['create-record'], refuses(1254290))

    const codes = [(await create({})).code, (await create({})).code]
    bitable.keepMeeting(['create-record'])
    codes.push((await create({})).code)

    expect(codes).toEqual([1254290, 1254290, 0])
  })

  it('lose an answer after the write, which a client token then finds done', async () => {
    const { bitable, create } = await open()
    bitable.meet(['create-record'], afterEffect(breaks('reset')))

    await expect(create({ key: 'a' }, `?client_token=${UUID}`)).rejects.toThrow(TypeError)
    const again = await create({ key: 'a' }, `?client_token=${UUID}`)

    expect(bitable.rows('notes').map(({ recordId }) => recordId)).toEqual([
      again.data.record?.record_id,
    ])
  })

  it('lose a request before the write', async () => {
    const { bitable, create } = await open()
    bitable.meet(['create-record'], breaks('reset'))

    await expect(create({ key: 'a' })).rejects.toThrow(TypeError)

    expect(bitable.rows('notes')).toEqual([])
  })
})
