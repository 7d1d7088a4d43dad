import { z } from 'zod'
import type { Base, Field, Table } from './base.ts'
import { FIELD_TYPES } from './cells.ts'
import { granted } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'
import { pageOf } from './paging.ts'
import { readBody } from './read-body.ts'

const FIELD = z.object({
  field_name: z.string(),
  type: z.int(),
  property: z.unknown().optional(),
})

const NEW_TABLE = z.object({
  table: z.object({
    name: z
      .string()
      .min(1)
      .max(100)
      .regex(/^[^[\]:\\/?*]+$/),
    default_view_name: z.string().optional(),
    fields: z.array(FIELD).optional(),
  }),
})

/** `GET …/tables` */
export function listTables({ tables }: Base, query: URLSearchParams) {
  const { items, total, hasMore, next } = pageOf(tables, query, BITABLE_LIMITS.tablesPerPage)
  return granted({
    has_more: hasMore,
    page_token: next,
    total,
    items: items.map(({ id, name }) => ({ table_id: id, revision: 1, name })),
  })
}

/** `POST …/tables` */
export function createTable(base: Base, body: string) {
  const { name, fields = [] } = readBody(NEW_TABLE, body).table
  const table = base.newTable(name, fields)
  return granted(
    {
      table_id: table.id,
      default_view_id: table.viewId,
      field_id_list: table.fields.map(({ id }) => id),
    },
    () => void base.tables.push(table),
  )
}

/** `GET …/fields`: the page token comes also with the last page, where it leads nowhere. */
export function listFields({ fields }: Table, query: URLSearchParams) {
  const { items, total, hasMore, next } = pageOf(fields, query, BITABLE_LIMITS.tablesPerPage)
  return granted({ has_more: hasMore, page_token: next, total, items: items.map(shownField) })
}

/** `POST …/fields` */
export function createField(base: Base, table: Table, body: string) {
  const field = base.newField(table, readBody(FIELD, body))
  return granted({ field: shownField(field) }, () => void table.fields.push(field))
}

const shownField = ({ id, name, type, isPrimary, property }: Field) => ({
  field_id: id,
  field_name: name,
  type,
  ui_type: FIELD_TYPES[type].ui,
  is_primary: isPrimary,
  is_hidden: false,
  property,
})
