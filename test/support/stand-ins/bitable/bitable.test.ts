import { describe, expect, it } from 'vitest'
import { minutes, seconds } from '../../../../src/core/duration.ts'
import { afterEffect, answers, breaks } from '../stand-in.ts'
import { TABLE_WRITES } from './calls.ts'
import { refuses } from './codes.ts'
import { openNotes, where } from './notes-table.ts'

const UUID = 'fe599b60-450f-46ff-b2ef-9f6675625b97'
describe('tokens of Bitable', () => {
  it('live two hours, and are renewed in the last half hour', async () => {
    const { clock, login, use, call } = await openNotes()
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
    const { bitable, login, use, call } = await openNotes()
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
    const { bitable, call, create } = await openNotes()
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
    const { clock, create } = await openNotes({ callsPerSecond: 3, writeMs: 0 })

    const codes = []
    for (const key of ['a', 'b', 'c', 'd']) codes.push((await create({ key })).code)
    clock.advance(seconds(1))
    codes.push((await create({ key: 'e' })).code)

    expect(codes).toEqual([0, 0, 0, 1254290, 0])
  })

  it('are done once per client token, as long as it is remembered', async () => {
    const { clock, bitable, create } = await openNotes({ clientTokenMs: minutes(5) })
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
    const { bitable, call, records } = await openNotes()
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

describe('what a person does in Bitable', () => {
  it('is seen by those who search', async () => {
    const { bitable, keys } = await openNotes()

    const id = bitable.addRow('notes', { key: 'a' })
    bitable.addRow('notes', { key: 'b' })
    bitable.changeRow('notes', id, { key: 'c' })
    const seen = await keys(undefined)
    bitable.removeRow('notes', id)

    expect(seen).toBe('c b')
    expect(await keys(undefined)).toBe('b')
  })

  it('makes links of addresses, which a program does not', async () => {
    const { bitable, call, create, keys, records } = await openNotes()
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
    const { bitable, call, records } = await openNotes()

    const record_id = bitable.addRow('notes', {})
    const { data } = await call('POST', `${records}/search`, { field_names: ['key'] })

    expect(data.items).toEqual([{ fields: {}, record_id }])
  })
})

describe('faults', () => {
  it('meet the calls that they are meant for, and no others', async () => {
    const { bitable, create, keys } = await openNotes()
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
    const { bitable, create } = await openNotes()
    bitable.keepMeeting(['create-record'], refuses(1254290))

    const codes = [(await create({})).code, (await create({})).code]
    bitable.keepMeeting(['create-record'])
    codes.push((await create({})).code)

    expect(codes).toEqual([1254290, 1254290, 0])
  })

  it('lose an answer after the write, which a client token then finds done', async () => {
    const { bitable, create } = await openNotes()
    bitable.meet(['create-record'], afterEffect(breaks('reset')))

    await expect(create({ key: 'a' }, `?client_token=${UUID}`)).rejects.toThrow(TypeError)
    const again = await create({ key: 'a' }, `?client_token=${UUID}`)

    expect(bitable.rows('notes').map(({ recordId }) => recordId)).toEqual([
      again.data.record?.record_id,
    ])
  })

  it('lose a request before the write', async () => {
    const { bitable, create } = await openNotes()
    bitable.meet(['create-record'], breaks('reset'))

    await expect(create({ key: 'a' })).rejects.toThrow(TypeError)

    expect(bitable.rows('notes')).toEqual([])
  })
})
