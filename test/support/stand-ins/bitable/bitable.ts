import type { Clock } from '../../../../src/core/clock.ts'
import { hours } from '../../../../src/core/duration.ts'
import { type Decision, openStandIn, type SeenRequest, type StandIn } from '../stand-in.ts'
import { openBase, type Row, type Table } from './base.ts'
import { type Call, callOf, type CallName, type TABLE_WRITES } from './calls.ts'
import { openClientTokens } from './client-tokens.ts'
import { Refused, refusal } from './codes.ts'
import { getRow, getRows, listRows, search } from './read-rows.ts'
import { createField, createTable, listFields, listTables } from './tables.ts'
import { type BitableApp, openTokens } from './tokens.ts'
import { type Faults, openBudget, openFaults } from './traffic.ts'
import {
  createRow,
  createRows,
  deleteRow,
  deleteRows,
  updateRow,
  updateRows,
  type Writing,
} from './write-rows.ts'

/*
 * Bitable as the Open Platform's reference describes it (pages of 2025 and 2026), checked with its official SDK.
 *
 * Taken from there: the codes with their statuses (`codes.ts`), the limits (`limits.ts`), that texts are written as strings and
 * come back as parts from `search` and `batch_get`, as strings from the older `get` and `list` and from the answers of writes
 * (an address is a part of its own where a person typed it, seen in public data; there are empty rows as well: `addRow(…, {})`),
 * that dates are compared by the start of their day in the Base's time zone, that a write must not overlap another of its table.
 * Not documented, and chosen so that a careful client is the one that passes: how long a `client_token` is remembered, that
 * batches are all or nothing, that a write is answered with the fields it named only, that a conflict is found when the later write
 * arrives, that a filter of an unknown field is an invalid filter, that `isGreater` on dates compares with the start of the day.
 * Not here: views, the formulas of the old `list` filter, people, attachments, links between tables, weeks and months in filters.
 */

export interface BitableOptions {
  readonly clock: Clock
  readonly port?: number
  readonly app?: BitableApp
  readonly appToken?: string
  /** How long a write holds its table; what comes meanwhile conflicts. */
  readonly writeMs?: number
  readonly clientTokenMs?: number
  /** Of each call; without it, what the reference says. */
  readonly callsPerSecond?: number
  /** Of the Base, east of Greenwich. */
  readonly offsetMs?: number
}

/** A row as a person sees it: texts as texts, empty cells not there. */
export interface SeenRow {
  readonly recordId: string
  readonly fields: Row['cells']
}

export interface Bitable extends StandIn, Faults {
  readonly app: BitableApp
  readonly appToken: string
  tableId(name: string): string
  /** First to last. */
  rows(tableName: string): readonly SeenRow[]
  /** A person adds, changes or removes a row by hand. */
  addRow(tableName: string, fields: Readonly<Record<string, unknown>>): string
  changeRow(tableName: string, recordId: string, fields: Readonly<Record<string, unknown>>): void
  removeRow(tableName: string, recordId: string): void
  /** Writes that came while another was under way on their table. */
  readonly conflicts: readonly SeenRequest[]
  /** Writes that arrive from now on stay under way until the returned function is called. */
  holdWrites(): () => void
  /** Every page of a search or a list takes this long. */
  slowPages(ms: number): void
  /** Searches and lists see what is there now, until `catchUp`. */
  stopIndexing(): void
  catchUp(): void
  expireTokens(): void
  forgetClientTokens(): void
}

const APP: BitableApp = { appId: 'cli_stand_in', appSecret: 'secret-of-the-stand-in' }

/** Feishu's Bitable, one Base of it. */
export async function openBitable(options: BitableOptions): Promise<Bitable> {
  const { clock, app = APP, appToken = 'bascnStandIn', writeMs = 20, offsetMs = hours(8) } = options
  const base = openBase(clock)
  const tokens = openTokens(app, clock)
  const clientTokens = openClientTokens(clock, options.clientTokenMs ?? hours(1))
  const isWithinBudget = openBudget(clock, options.callsPerSecond)
  const faults = openFaults()
  const conflicts: SeenRequest[] = []
  let pageMs = 0
  let held: Promise<void> | undefined
  let index: ReadonlyMap<string, readonly Row[]> | undefined

  const rowsSeen = ({ id, rows }: Table) => index?.get(id) ?? [...rows.values()]
  const named = (name: string): Table => {
    const table = base.tables.find((one) => one.name === name)
    if (!table) throw new Error(`there is no table ${name} in the Base`)
    return table
  }

  const write = async (call: Call, table: Table, decide: (writing: Writing) => Decision) => {
    if (table.isBusy) {
      conflicts.push(call.request)
      throw new Refused(1254291)
    }
    table.isBusy = true
    try {
      await clock.sleep(writeMs)
      await held
      return clientTokens.once(call, () =>
        decide({ base, table, body: call.request.body, record: call.record }),
      )
    } finally {
      table.isBusy = false
    }
  }
  const read = async (call: Call, table: Table) => {
    const { query, request, record, name } = call
    if (name === 'get-record') return getRow(table, record, query)
    if (name === 'batch-get') return getRows(table, request.body)
    if (name === 'list-fields') return listFields(table, query)
    if (pageMs > 0) await clock.sleep(pageMs)
    const calendar = { now: clock.now(), offsetMs }
    const reading = { table, rows: rowsSeen(table), query, body: request.body, calendar }
    return name === 'search' ? search(reading) : listRows(reading)
  }

  const answer = async (call: Call): Promise<Decision> => {
    if (call.name === 'token') return tokens.issue(jsonOf(call.request.body))
    const fault = tokens.fault(call.request.headers.authorization)
    if (fault) throw new Refused(fault)
    if (!isWithinBudget(call)) throw new Refused(1254290)
    if (call.app !== appToken) throw new Refused(1254040)
    if (call.name === 'list-tables') return listTables(base, call.query)
    if (call.name === 'create-table') return createTable(base, call.request.body)
    const table = base.tables.find(({ id }) => id === call.table)
    if (!table) throw new Refused(1254041)
    const change = WRITES[call.name]
    return change ? write(call, table, change) : read(call, table)
  }

  const decide = async (request: SeenRequest, complain: (what: string) => void) => {
    const call = callOf(request)
    if (!call) {
      complain(`${request.method} ${request.target.split('?')[0]} is no call of Bitable`)
      return { reply: { status: 404, body: '404 page not found' } }
    }
    if (
      request.body !== '' &&
      !/^application\/json\b/i.test(request.headers['content-type'] ?? '')
    ) {
      complain(`${call.name} came without the content type application/json`)
    }
    const step = faults.next(call.name)
    try {
      return { ...(await answer(call)), ...(step && { step }) }
    } catch (error) {
      if (!(error instanceof Refused)) throw error
      return { reply: refusal(error.code, error.field), ...(step && { step }) }
    }
  }

  const { port = 0 } = options
  const standIn = await openStandIn({ clock, port, decide })
  return Object.assign(Object.create(standIn) as StandIn, faults, {
    app,
    appToken,
    tableId: (name: string) => named(name).id,
    rows: (name: string) =>
      [...named(name).rows.values()].map(({ id, cells }) => ({ recordId: id, fields: cells })),
    addRow(name: string, fields: Readonly<Record<string, unknown>>) {
      const row = base.newRow(named(name), fields, 'person')
      named(name).rows.set(row.id, row)
      return row.id
    },
    changeRow(name: string, id: string, fields: Readonly<Record<string, unknown>>) {
      named(name).rows.set(id, base.changedRow(named(name), id, fields, 'person'))
    },
    removeRow: (name: string, id: string) => void named(name).rows.delete(id),
    conflicts,
    holdWrites() {
      const { promise, resolve } = Promise.withResolvers<void>()
      held = promise
      return () => {
        held = undefined
        resolve()
      }
    },
    slowPages(ms: number) {
      pageMs = ms
    },
    stopIndexing() {
      index = new Map(base.tables.map(({ id, rows }) => [id, [...rows.values()]]))
    },
    catchUp() {
      index = undefined
    },
    expireTokens: tokens.expire,
    forgetClientTokens: clientTokens.forget,
  })
}

const WRITES: Partial<Record<CallName, (writing: Writing) => Decision>> = {
  'create-field': ({ base, table, body }) => createField(base, table, body),
  'create-record': createRow,
  'batch-create': createRows,
  'update-record': updateRow,
  'batch-update': updateRows,
  'delete-record': deleteRow,
  'batch-delete': deleteRows,
} satisfies Record<(typeof TABLE_WRITES)[number], (writing: Writing) => Decision>

function jsonOf(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}
