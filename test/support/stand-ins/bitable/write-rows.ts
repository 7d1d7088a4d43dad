import { z } from 'zod'
import type { Base, Row, Table } from './base.ts'
import { granted, Refused } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'
import { readBody } from './read-body.ts'
import { oldShape } from './read-rows.ts'

const FIELDS = z.record(z.string(), z.unknown())
type Fields = z.infer<typeof FIELDS>

export interface Writing {
  readonly base: Base
  readonly table: Table
  readonly body: string
  /** Of the one row that the address names. */
  readonly record: string
}

/** `POST …/records` */
export function createRow(writing: Writing) {
  const { fields } = readBody(z.object({ fields: FIELDS }), writing.body)
  const [row] = newRows(writing, [fields])
  return granted({ record: answered(row, fields) }, () => put(writing.table, [row]))
}

/** `POST …/records/batch_create`: all of them or none. */
export function createRows(writing: Writing) {
  const { records } = readBody(
    z.object({ records: z.array(z.object({ fields: FIELDS })).min(1) }),
    writing.body,
  )
  if (records.length > BITABLE_LIMITS.rowsPerCreate) throw new Refused(1254104)
  const fields = records.map((record) => record.fields)
  const rows = newRows(writing, fields)
  return granted({ records: rows.map((row, index) => answered(row, fields[index])) }, () =>
    put(writing.table, rows),
  )
}

/** `PUT …/records/:record`: the fields that are named change, the others stay. */
export function updateRow({ base, table, body, record }: Writing) {
  const { fields } = readBody(z.object({ fields: FIELDS }), body)
  const row = base.changedRow(table, record, fields, 'program')
  return granted({ record: answered(row, fields) }, () => put(table, [row]))
}

/** `POST …/records/batch_update`: all of them or none. */
export function updateRows({ base, table, body }: Writing) {
  const { records } = readBody(
    z.object({ records: z.array(z.object({ record_id: z.string(), fields: FIELDS })).min(1) }),
    body,
  )
  if (records.length > BITABLE_LIMITS.rowsPerUpdate) throw new Refused(1254104)
  const rows = records.map(({ record_id: id, fields }) =>
    base.changedRow(table, id, fields, 'program'),
  )
  return granted({ records: rows.map((row, index) => answered(row, records[index]?.fields)) }, () =>
    put(table, rows),
  )
}

/** `DELETE …/records/:record` */
export function deleteRow({ table, record }: Writing) {
  const [deleted] = deletions(table, [record])
  return granted(deleted, () => table.rows.delete(record))
}

/** `POST …/records/batch_delete`: all of them or none. */
export function deleteRows({ table, body }: Writing) {
  const { records } = readBody(z.object({ records: z.array(z.string()).min(1) }), body)
  if (records.length > BITABLE_LIMITS.rowsPerDelete) throw new Refused(1254104)
  return granted({ records: deletions(table, records) }, () => {
    for (const id of records) table.rows.delete(id)
  })
}

function newRows({ base, table }: Writing, all: readonly Fields[]): [Row, ...Row[]] {
  if (table.rows.size + all.length > BITABLE_LIMITS.rowsPerTable) throw new Refused(1254103)
  return all.map((fields) => base.newRow(table, fields, 'program')) as [Row, ...Row[]]
}

function put(table: Table, rows: readonly Row[]) {
  for (const row of rows) table.rows.set(row.id, row)
}

function deletions(table: Table, ids: readonly string[]) {
  if (ids.some((id) => !table.rows.has(id))) throw new Refused(1254043)
  return ids.map((id) => ({ deleted: true, record_id: id }))
}

/** A write is answered with what was written, in the shape in which it came; not with the row. */
function answered(row: Row, written: Fields = {}) {
  const kept = Object.entries(written).filter(([name]) => row.cells[name] !== undefined)
  return oldShape(row.id, Object.fromEntries(kept))
}
