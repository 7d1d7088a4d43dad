import { z } from 'zod'
import { days } from '../../../../src/core/duration.ts'
import type { Field, Row, Table } from './base.ts'
import type { Cell } from './cells.ts'
import { Refused } from './codes.ts'
import { BITABLE_LIMITS } from './limits.ts'

const CONDITIONS = z
  .array(
    z.object({
      field_name: z.string(),
      operator: z.string(),
      value: z.array(z.string()).max(10),
    }),
  )
  .max(BITABLE_LIMITS.conditionsPerFilter)
const CONJUNCTION = z.enum(['and', 'or'])

const FILTER = z.object({
  conjunction: CONJUNCTION,
  conditions: CONDITIONS.optional(),
  children: z.array(z.object({ conjunction: CONJUNCTION, conditions: CONDITIONS })).optional(),
})

type Condition = z.infer<typeof CONDITIONS>[number]
type Test = (row: Row) => boolean

/** What days are counted by. */
export interface Calendar {
  readonly now: number
  /** Of the Base, east of Greenwich. */
  readonly offsetMs: number
}

/** Whether a row is among those that a filter asks for. Throws `Refused` for a filter that Bitable refuses. */
export function filterOf(filter: unknown, table: Table, calendar: Calendar): Test {
  if (filter === undefined || filter === null) return () => true
  const parsed = FILTER.safeParse(filter)
  if (!parsed.success) throw new Refused(1254018)
  const { conjunction, conditions = [], children = [] } = parsed.data
  const test = (condition: Condition) => testOf(condition, table, calendar)
  return joined(conjunction, [
    ...conditions.map(test),
    ...children.map((child) => joined(child.conjunction, child.conditions.map(test))),
  ])
}

function joined(conjunction: 'and' | 'or', tests: readonly Test[]): Test {
  if (tests.length === 0) return () => true
  return conjunction === 'and'
    ? (row) => tests.every((test) => test(row))
    : (row) => tests.some((test) => test(row))
}

function testOf({ field_name, operator, value }: Condition, table: Table, calendar: Calendar) {
  const field = table.fields.find(({ name }) => name === field_name)
  if (!field) throw new Refused(1254018)
  const cellOf = (row: Row) => cellFor(row, field)
  if (operator === 'isEmpty' || operator === 'isNotEmpty') {
    if (value.length > 0) throw new Refused(1254018)
    return (row: Row) => (cellOf(row) === undefined) === (operator === 'isEmpty')
  }
  const compare = comparisonOf(field, operator, value, calendar)
  if (!compare) throw new Refused(1254018)
  return (row: Row) => compare(cellOf(row))
}

type Comparison = (cell: Cell | undefined) => boolean
/** What can be asked of a field of a type, by its operator. */
type Operators = Readonly<Record<string, Comparison>>

function comparisonOf(
  { type }: Field,
  operator: string,
  value: readonly string[],
  calendar: Calendar,
): Comparison | undefined {
  const operators = operatorsFor(type, value, calendar)
  return operators && Object.hasOwn(operators, operator) ? operators[operator] : undefined
}

function operatorsFor(
  type: Field['type'],
  value: readonly string[],
  calendar: Calendar,
): Operators | undefined {
  const [only, ...more] = value
  if (only === undefined) return
  if (type === 5 || type === 1001 || type === 1002) return dateOperators(value, calendar)
  if (type === 3 || type === 4) return choiceOperators(value)
  if (more.length > 0) return
  if (type === 2) return numberOperators(Number(only))
  if (type === 7) return { is: (cell) => (cell ?? false) === (only === 'true') }
  return textOperators(only)
}

function textOperators(wanted: string): Operators {
  const textOf = (cell: Cell | undefined) =>
    typeof cell === 'object' && 'text' in cell ? cell.text : String(cell ?? '')
  return {
    is: (cell) => textOf(cell) === wanted,
    isNot: (cell) => textOf(cell) !== wanted,
    contains: (cell) => textOf(cell).includes(wanted),
    doesNotContain: (cell) => !textOf(cell).includes(wanted),
  }
}

function choiceOperators(wanted: readonly string[]): Operators {
  const hasAny: Comparison = (cell) =>
    [cell].flat().some((chosen) => typeof chosen === 'string' && wanted.includes(chosen))
  const hasNone: Comparison = (cell) => !hasAny(cell)
  const several = { contains: hasAny, doesNotContain: hasNone }
  return wanted.length > 1 ? several : { ...several, is: hasAny, isNot: hasNone }
}

function numberOperators(wanted: number): Operators | undefined {
  if (Number.isNaN(wanted)) return
  return {
    is: (cell) => numberIn(cell) === wanted,
    isNot: (cell) => numberIn(cell) !== wanted,
    isGreater: (cell) => numberIn(cell) > wanted,
    isGreaterEqual: (cell) => numberIn(cell) >= wanted,
    isLess: (cell) => numberIn(cell) < wanted,
    isLessEqual: (cell) => numberIn(cell) <= wanted,
  }
}

const numberIn = (cell: Cell | undefined) => (cell === undefined ? Number.NaN : Number(cell))

const DAY_WORDS: Readonly<Record<string, number>> = { Yesterday: -1, Today: 0, Tomorrow: 1 }

/** A moment is taken for the start of its day: nothing finer than a day can be asked for. */
function dateOperators(
  [word = '', moment]: readonly string[],
  { now, offsetMs }: Calendar,
): Operators | undefined {
  const dayOf = (at: number) => Math.floor((at + offsetMs) / days(1))
  const shift = DAY_WORDS[word]
  const exact = word === 'ExactDate' ? Number(moment ?? Number.NaN) : Number.NaN
  const wanted = shift === undefined ? dayOf(exact) : dayOf(now) + shift
  if (Number.isNaN(wanted)) return
  const start = wanted * days(1) - offsetMs
  return {
    is: (cell) => dayOf(numberIn(cell)) === wanted,
    isGreater: (cell) => numberIn(cell) > start,
    isLess: (cell) => numberIn(cell) < start,
  }
}

/** Times that Bitable keeps by itself are cells as well. */
export function cellFor(row: Row, { name, type }: Field): Cell | undefined {
  if (type === 1001) return row.createdAt
  if (type === 1002) return row.modifiedAt
  return row.cells[name]
}
