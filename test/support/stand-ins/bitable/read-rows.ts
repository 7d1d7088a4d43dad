import { z } from 'zod'
import type { Field, Row, Table } from './base.ts'
import { textParts } from './cells.ts'
import { granted, Refused } from './codes.ts'
import { type Calendar, cellFor, filterOf } from './filter.ts'
import { BITABLE_LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { readBody } from './read-body.ts'

const SEARCH = z.object({
  field_names: z.array(z.string()).max(200).optional(),
  sort: z
    .array(z.object({ field_name: z.string(), desc: z.boolean().optional() }))
    .max(100)
    .optional(),
  filter: z.unknown().optional(),
  automatic_fields: z.boolean().optional(),
})

export interface Reading {
  readonly table: Table
  /** What searches and lists see: the rows, or what they were when the index stopped. */
  readonly rows: readonly Row[]
  readonly query: URLSearchParams
  readonly body: string
  readonly calendar: Calendar
}

/** `POST …/records/search`: the call to use today. Texts come in parts, pages by token. */
export function search({ table, rows, query, body, calendar }: Reading) {
  const ask = readBody(SEARCH, body)
  const shown = (ask.field_names ?? []).map((name) => fieldNamed(table, name, 1254024))
  const matches = filterOf(ask.filter, table, calendar)
  const found = sorted(rows.filter(matches), table, ask.sort ?? [])
  const { items, total, hasMore, next } = pageOf(found, query)
  const fields = shown.length > 0 ? shown : table.fields
  return granted({
    items: items.map((row) => ({
      fields: shownCells(row, fields, 'parts'),
      record_id: row.id,
      ...(ask.automatic_fields && timesOf(row)),
    })),
    has_more: hasMore,
    ...(hasMore && { page_token: next }),
    total,
  })
}

/** `GET …/records`: of old. Texts come as they were written, unless asked for in parts. */
export function listRows({ table, rows, query }: Reading) {
  // Its own language of formulas is not spoken here.
  if (query.get('filter') !== null) throw new Refused(1254018)
  if (query.get('sort') !== null) throw new Refused(1254016)
  const texts = query.get('text_field_as_array') === 'true' ? 'parts' : 'plain'
  const { items, total, hasMore, next } = pageOf(rows, query)
  return granted({
    has_more: hasMore,
    page_token: next,
    total,
    items: items.map((row) => ({
      ...oldShape(row.id, shownCells(row, table.fields, texts)),
      ...(query.get('automatic_fields') === 'true' && timesOf(row)),
    })),
  })
}

/** `GET …/records/:record`, of old as well. */
export function getRow(table: Table, id: string, query: URLSearchParams) {
  const row = table.rows.get(id)
  if (!row) throw new Refused(1254043)
  const texts = query.get('text_field_as_array') === 'true' ? 'parts' : 'plain'
  return granted({ record: oldShape(id, shownCells(row, table.fields, texts)) })
}

const BATCH_GET = z.object({
  record_ids: z.array(z.string()).min(1).max(BITABLE_LIMITS.rowsPerGet),
  automatic_fields: z.boolean().optional(),
})

/** `POST …/records/batch_get` */
export function getRows(table: Table, body: string) {
  const { record_ids: ids, automatic_fields: withTimes } = readBody(BATCH_GET, body)
  const found = ids.flatMap((id) => table.rows.get(id) ?? [])
  return granted({
    records: found.map((row) => ({
      fields: shownCells(row, table.fields, 'parts'),
      record_id: row.id,
      ...(withTimes && timesOf(row)),
    })),
    forbidden_record_ids: [],
    absent_record_ids: ids.filter((id) => !table.rows.has(id)),
  })
}

export const oldShape = (id: string, fields: unknown) => ({ fields, id, record_id: id })

const timesOf = ({ createdAt, modifiedAt }: Row) => ({
  created_time: createdAt,
  last_modified_time: modifiedAt,
})

/** Empty cells are left out. Newer calls answer a text in its parts; older ones as it was written, unless asked otherwise. */
function shownCells(row: Row, fields: readonly Field[], texts: 'plain' | 'parts') {
  const shown = fields.flatMap((field) => {
    const cell = cellFor(row, field)
    if (cell === undefined) return []
    const isText = field.type === 1 && typeof cell === 'string' && texts === 'parts'
    const by = row.typed.has(field.name) ? 'person' : 'program'
    return [[field.name, isText ? textParts(cell, by) : cell] as const]
  })
  return Object.fromEntries(shown)
}

function fieldNamed({ fields }: Table, name: string, refusal: 1254024 | 1254016): Field {
  const field = fields.find((one) => one.name === name)
  if (!field) throw new Refused(refusal)
  return field
}

function sorted(
  rows: readonly Row[],
  table: Table,
  sort: readonly { field_name: string; desc?: boolean | undefined }[],
): readonly Row[] {
  const orders = sort.map(({ field_name, desc = false }) => ({
    field: fieldNamed(table, field_name, 1254016),
    sign: desc ? -1 : 1,
  }))
  return rows.toSorted((a, b) => {
    for (const { field, sign } of orders) {
      const [left, right] = [cellFor(a, field) ?? '', cellFor(b, field) ?? '']
      if (left !== right) return left < right ? -sign : sign
    }
    return 0
  })
}
