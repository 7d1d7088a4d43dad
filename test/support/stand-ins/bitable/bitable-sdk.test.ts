import * as lark from '@larksuiteoapi/node-sdk'
import { describe, expect, it, onTestFinished } from 'vitest'
import { FakeClock } from '../../fake-clock.ts'
import { type BitableOptions, openBitable } from './bitable.ts'

/** The official SDK takes the stand-in for Bitable: what it understands, and what it makes of refusals. */

const FIELDS = [
  { field_name: 'key', type: 1 },
  { field_name: 'count', type: 2 },
  { field_name: 'status', type: 3, property: { options: [{ name: 'pending' }] } },
  { field_name: 'tags', type: 4 },
  { field_name: 'seen', type: 5, property: { date_formatter: 'yyyy/MM/dd HH:mm' } },
  { field_name: 'done', type: 7 },
  { field_name: 'link', type: 15 },
]
const WHOLE = {
  key: 'xhs:1',
  count: 2.5,
  status: 'pending',
  tags: ['a', 'b'],
  seen: Date.parse('2025-01-15T12:00:00Z'),
  done: true,
  link: { text: 'note', link: 'https://example.com/1' },
}
const SILENT = { error() {}, warn() {}, info() {}, debug() {}, trace() {} }

async function open(options: Partial<BitableOptions> = {}) {
  const bitable = await openBitable({ clock: new FakeClock(), callsPerSecond: 1_000, ...options })
  onTestFinished(() => bitable.close())
  const client = new lark.Client({
    ...bitable.app,
    domain: bitable.origin,
    logger: SILENT,
    // Its own is shared by every client of the process.
    cache: new lark.DefaultCache(),
  })
  const { appTable, appTableField, appTableRecord } = client.bitable
  const base = { app_token: bitable.appToken }
  const created = await appTable.create({
    path: base,
    data: { table: { name: 'notes', fields: FIELDS } },
  })
  const path = { ...base, table_id: created.data?.table_id ?? '' }
  return { bitable, client, appTable, appTableField, appTableRecord, base, path, created }
}

describe('tables and fields', () => {
  it('creates a table with its fields, and lists both', async () => {
    const { bitable, appTable, appTableField, base, path, created } = await open()

    const tables = await appTable.list({ path: base })
    const fields = await appTableField.list({ path })
    const added = await appTableField.create({ path, data: { field_name: 'extra', type: 1 } })

    expect(created).toMatchObject({ code: 0, data: { table_id: path.table_id } })
    expect(created.data?.field_id_list).toHaveLength(FIELDS.length)
    expect(tables.data?.items).toEqual([{ table_id: path.table_id, revision: 1, name: 'notes' }])
    expect(
      fields.data?.items?.map(({ field_name, type, ui_type }) => [field_name, type, ui_type]),
    ).toEqual([
      ['key', 1, 'Text'],
      ['count', 2, 'Number'],
      ['status', 3, 'SingleSelect'],
      ['tags', 4, 'MultiSelect'],
      ['seen', 5, 'DateTime'],
      ['done', 7, 'Checkbox'],
      ['link', 15, 'Url'],
    ])
    expect(fields.data?.items?.filter(({ is_primary }) => is_primary)).toHaveLength(1)
    expect(added).toMatchObject({ code: 0, data: { field: { field_name: 'extra', type: 1 } } })
    expect(bitable.tableId('notes')).toBe(path.table_id)
    expect(bitable.complaints).toEqual([])
  })

  it('walks through pages of tables and fields', async () => {
    const { appTable, appTableField, base, path } = await open()
    for (const name of ['b', 'c', 'd'])
      await appTable.create({ path: base, data: { table: { name } } })

    const names: unknown[] = []
    for await (const page of await appTable.listWithIterator({
      path: base,
      params: { page_size: 3 },
    })) {
      names.push(page?.items?.map(({ name }) => name))
    }
    const fields: unknown[] = []
    for await (const page of await appTableField.listWithIterator({
      path,
      params: { page_size: 4 },
    })) {
      fields.push(page?.items?.length)
    }

    expect(names).toEqual([['notes', 'b', 'c'], ['d']])
    expect(fields).toEqual([4, 3])
  })
})

describe('records', () => {
  it('creates, reads, changes and deletes one', async () => {
    const { bitable, appTableRecord, path } = await open()

    const created = await appTableRecord.create({ path, data: { fields: WHOLE } })
    const record_id = created.data?.record?.record_id ?? ''
    const one = { ...path, record_id }
    const got = await appTableRecord.get({ path: one })
    const changed = await appTableRecord.update({
      path: one,
      data: { fields: { count: 3, status: 'new' } },
    })
    const found = await appTableRecord.search({ path, data: {} })
    const batch = await appTableRecord.batchGet({
      path,
      data: { record_ids: [record_id, 'recAway'] },
    })
    const seen = bitable.rows('notes')
    const deleted = await appTableRecord.delete({ path: one })

    expect(created.data?.record).toEqual({ fields: WHOLE, id: record_id, record_id })
    expect(got.data?.record?.fields).toEqual(WHOLE)
    expect(changed.data?.record).toEqual({
      fields: { count: 3, status: 'new' },
      id: record_id,
      record_id,
    })
    const inParts = { ...WHOLE, count: 3, status: 'new', key: [{ text: 'xhs:1', type: 'text' }] }
    expect(found.data).toEqual({
      items: [{ fields: inParts, record_id }],
      has_more: false,
      total: 1,
    })
    expect(batch.data).toMatchObject({
      records: [{ fields: inParts }],
      absent_record_ids: ['recAway'],
    })
    expect(seen).toEqual([{ recordId: record_id, fields: { ...WHOLE, count: 3, status: 'new' } }])
    expect(deleted.data).toEqual({ deleted: true, record_id })
    expect(bitable.rows('notes')).toEqual([])
  })

  it('creates, changes and deletes many, all of them or none', async () => {
    const { bitable, appTableRecord, path } = await open()

    const records = ['a', 'b', 'c'].map((key) => ({ fields: { key } }))
    const created = await appTableRecord.batchCreate({ path, data: { records } })
    const ids = (created.data?.records ?? []).map(({ record_id = '' }) => record_id)
    const changed = await appTableRecord.batchUpdate({
      path,
      data: { records: ids.map((record_id) => ({ record_id, fields: { count: 1 } })) },
    })
    const half = await appTableRecord.batchCreate({
      path,
      data: { records: [{ fields: { key: 'd' } }, { fields: { nokey: 'e' } }] },
    })
    const away = await appTableRecord.batchDelete({
      path,
      data: { records: [ids[0] ?? '', 'recAway'] },
    })
    const kept = bitable.rows('notes')
    const deleted = await appTableRecord.batchDelete({ path, data: { records: ids } })

    expect(changed.data?.records).toHaveLength(3)
    expect([half.code, away.code]).toEqual([1254045, 1254043])
    expect(kept.map(({ fields }) => fields)).toEqual(
      ['a', 'b', 'c'].map((key) => ({ key, count: 1 })),
    )
    expect(deleted.data?.records).toEqual(ids.map((record_id) => ({ deleted: true, record_id })))
    expect(bitable.rows('notes')).toEqual([])
  })

  it('empties cells with null, and leaves empty ones out', async () => {
    const { appTableRecord, path } = await open()
    const created = await appTableRecord.create({ path, data: { fields: WHOLE } })
    const one = { ...path, record_id: created.data?.record?.record_id ?? '' }

    // Its types know no null, Bitable does.
    const emptied = Object.fromEntries(Object.keys(WHOLE).map((name) => [name, null])) as never
    await appTableRecord.update({ path: one, data: { fields: emptied } })

    expect((await appTableRecord.get({ path: one })).data?.record?.fields).toEqual({})
  })

  it('walks through pages of a search and of a list', async () => {
    const { bitable, appTableRecord, path } = await open()
    for (const key of ['a', 'b', 'c', 'd', 'e'])
      bitable.addRow('notes', { key, count: key.charCodeAt(0) })

    const data = { sort: [{ field_name: 'count', desc: true }], field_names: ['key'] }
    const searched: unknown[] = []
    for await (const page of await appTableRecord.searchWithIterator({
      path,
      data,
      params: { page_size: 2 },
    })) {
      searched.push(...(page?.items ?? []).map(({ fields }) => fields))
    }
    const listed: unknown[] = []
    for await (const page of await appTableRecord.listWithIterator({
      path,
      params: { page_size: 3 },
    })) {
      listed.push(page?.items?.map(({ fields }) => fields['key']))
    }

    expect(searched).toEqual(
      ['e', 'd', 'c', 'b', 'a'].map((text) => ({ key: [{ text, type: 'text' }] })),
    )
    expect(listed).toEqual([
      ['a', 'b', 'c'],
      ['d', 'e'],
    ])
  })

  it('creates once per client token', async () => {
    const { bitable, appTableRecord, path } = await open()
    const params = { client_token: 'fe599b60-450f-46ff-b2ef-9f6675625b97' }
    const ask = { path, params, data: { fields: { key: 'a' } } }

    const first = await appTableRecord.create(ask)
    const again = await appTableRecord.create(ask)
    bitable.forgetClientTokens()
    const later = await appTableRecord.create(ask)

    expect(again).toEqual(first)
    expect(later.data?.record?.record_id).not.toBe(first.data?.record?.record_id)
    expect(bitable.rows('notes')).toHaveLength(2)
  })
})

describe('refusals', () => {
  const record = (fields: Record<string, unknown>) => ({ data: { fields: fields as never } })
  const refused: [string, Record<string, unknown>, number][] = [
    ['an unknown field', { nokey: 'a' }, 1254045],
    ['a number as text', { key: 1 }, 1254060],
    ['a text as number', { count: '1' }, 1254061],
    ['a number as choice', { status: 1 }, 1254062],
    ['a text as choices', { tags: 'a' }, 1254063],
    ['a text as date', { seen: '2025-01-15' }, 1254064],
    ['a text as tick', { done: 'true' }, 1254065],
    ['a text as link', { link: 'https://example.com' }, 1254068],
    ['a text too long', { key: 'x'.repeat(100_001) }, 1254130],
  ]
  it.each(refused)('%s comes with status 200 and a code', async (_, fields, code) => {
    const { bitable, appTableRecord, path } = await open()

    expect(await appTableRecord.create({ path, ...record(fields) })).toMatchObject({ code })
    expect(bitable.rows('notes')).toEqual([])
  })

  it('names what is not there', async () => {
    const { appTable, appTableRecord, base, path } = await open()
    const one = record({ key: 'a' })

    const codes = [
      await appTable.list({ path: { app_token: 'other' } }),
      await appTableRecord.create({ path: { ...base, table_id: 'tblAway' }, ...one }),
      await appTableRecord.update({ path: { ...path, record_id: 'recAway' }, ...one }),
      await appTableRecord.get({ path: { ...path, record_id: 'recAway' } }),
      await appTableRecord.delete({ path: { ...path, record_id: 'recAway' } }),
      await appTable.create({ path: base, data: { table: { name: 'notes' } } }),
      await appTableRecord.search({ path, data: { field_names: ['nokey'] } }),
      await appTableRecord.search({ path, data: { sort: [{ field_name: 'nokey' }] } }),
      await appTableRecord.search({ path, params: { page_token: 'nonsense' } }),
    ].map(({ code }) => code)

    expect(codes).toEqual([
      1254040, 1254041, 1254043, 1254043, 1254043, 1254013, 1254024, 1254016, 1254002,
    ])
  })

  it('throws where the status is not 200', async () => {
    const { bitable, appTable, appTableField, appTableRecord, base, path } = await open()
    const codeOf = (thrown: unknown) =>
      (thrown as { response: { status: number; data: { code: number } } }).response
    const outcome = (call: Promise<unknown>) =>
      call.then(
        () => 'no refusal',
        (thrown: unknown) => [codeOf(thrown).status, codeOf(thrown).data.code],
      )
    const one = record({ key: 'a' })
    const params = { client_token: 'not-a-uuid' }
    bitable.meet(['search'], { reply: { status: 503, body: 'upstream connect error' } })

    expect(await outcome(appTableRecord.create({ path, params, ...one }))).toEqual([400, 1254037])
    expect(
      await outcome(appTableField.create({ path, data: { field_name: 'key', type: 1 } })),
    ).toEqual([400, 1254014])
    const fields = [{ field_name: 'done', type: 7 }]
    expect(
      await outcome(appTable.create({ path: base, data: { table: { name: 'b', fields } } })),
    ).toEqual([400, 1254012])
    expect(await outcome(appTableRecord.list({ path, params: { page_size: 501 } }))).toEqual([
      400, 99992402,
    ])
    expect(await outcome(appTableRecord.list({ path, params: { page_size: 0 } }))).toEqual([
      400, 1254011,
    ])
    expect(await outcome(appTableRecord.search({ path }))).toEqual([503, undefined])
  })

  it('refuses a wrong secret with status 200', async () => {
    const { bitable, base } = await open()
    const stranger = new lark.Client({
      appId: bitable.app.appId,
      appSecret: 'wrong',
      domain: bitable.origin,
      logger: SILENT,
      cache: new lark.DefaultCache(),
    })

    await expect(stranger.bitable.appTable.list({ path: base })).rejects.toThrow(/10014/)
  })
})
