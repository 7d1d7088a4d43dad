import type { Clock } from '../../../../src/core/clock.ts'
import {
  type Cell,
  type FieldType,
  isFieldType,
  PRIMARY_TYPES,
  type Writer,
  writtenCell,
} from './cells.ts'
import { Refused } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'

export interface Field {
  readonly id: string
  readonly name: string
  readonly type: FieldType
  readonly isPrimary: boolean
  readonly property: unknown
}

export interface Row {
  readonly id: string
  readonly createdAt: number
  readonly modifiedAt: number
  /** By the name of the field; an empty cell is not there. */
  readonly cells: Readonly<Record<string, Cell>>
  /** Names of the cells that a person typed in. */
  readonly typed: ReadonlySet<string>
}

type Fields = Readonly<Record<string, unknown>>

export interface Table {
  readonly id: string
  readonly name: string
  readonly viewId: string
  readonly fields: Field[]
  /** In the order in which they were added. */
  readonly rows: Map<string, Row>
  /** A write is under way. */
  isBusy: boolean
}

export interface FieldAsk {
  readonly field_name: string
  readonly type: number
  readonly property?: unknown
}

export interface Base {
  readonly tables: Table[]
  newTable(name: string, fields: readonly FieldAsk[]): Table
  newField(table: Pick<Table, 'fields'>, ask: FieldAsk): Field
  newRow(table: Table, fields: Fields, by: Writer): Row
  /** The row with these fields changed; null and the empty text empty a cell. */
  changedRow(table: Table, id: string, fields: Fields, by: Writer): Row
}

/** The tables of one Base. What is made here is not in it yet: whoever asked puts it there, or does not. */
export function openBase(clock: Clock): Base {
  const tables: Table[] = []
  let made = 0
  const id = (prefix: string) => `${prefix}${(++made).toString(36).padStart(10, '0')}`

  const newField: Base['newField'] = ({ fields }, { field_name: name, type, property }) => {
    if (!isFieldType(type)) throw new Refused(1254012)
    if (name.trim() === '' || name.length > 1_000) throw new Refused(1254029)
    if (fields.some((field) => field.name === name)) throw new Refused(1254014)
    const isPrimary = fields.length === 0
    if (isPrimary && !PRIMARY_TYPES.includes(type)) throw new Refused(1254012)
    return { id: id('fld'), name, type, isPrimary, property: property ?? null }
  }
  const withCells = (table: Table, row: Row, written: Fields, by: Writer): Row => {
    const cells = new Map(Object.entries(row.cells))
    const typed = new Set(row.typed)
    for (const [name, value] of Object.entries(written)) {
      const field = table.fields.find((one) => one.name === name)
      if (!field) throw new Refused(1254045)
      const cell = writtenCell(field.type, value)
      if (cell === undefined) cells.delete(name)
      else cells.set(name, cell)
      if (by === 'person') typed.add(name)
      else typed.delete(name)
    }
    return { ...row, cells: Object.fromEntries(cells), typed, modifiedAt: clock.now() }
  }

  return {
    tables,
    newTable(name, asks) {
      if (tables.length >= BITABLE_LIMITS.tablesPerBase) throw new Refused(1254100)
      if (tables.some((table) => table.name === name)) throw new Refused(1254013)
      const fields: Field[] = []
      const wanted = asks.length > 0 ? asks : [{ field_name: 'Text', type: 1 }]
      for (const ask of wanted) fields.push(newField({ fields }, ask))
      return { id: id('tbl'), name, viewId: id('vew'), fields, rows: new Map(), isBusy: false }
    },
    newField,
    newRow(table, fields, by) {
      const at = clock.now()
      const empty = {
        id: id('rec'),
        createdAt: at,
        modifiedAt: at,
        cells: {},
        typed: new Set<string>(),
      }
      return withCells(table, empty, fields, by)
    },
    changedRow(table, rowId, fields, by) {
      const row = table.rows.get(rowId)
      if (!row) throw new Refused(1254043)
      return withCells(table, row, fields, by)
    },
  }
}
