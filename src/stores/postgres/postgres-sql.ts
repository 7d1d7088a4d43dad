import postgres from 'postgres'
import type { Clock } from '../../core/clock.ts'
import type { Secret } from '../../core/secret.ts'
import { DatabaseError, isLost, type Undone, undoneBy } from './failure.ts'
import { gate } from './gate.ts'
import { type Database, keptText, type Sql, type SqlValue } from './sql.ts'

export interface PostgresOptions {
  readonly url: Secret
  readonly clock: Clock
  /** Connections at most, for all that this process does at once. */
  readonly connections?: number
}

export interface PostgresDatabase extends Database {
  /** Throws when the database does not answer, at the first try. */
  check(): Promise<void>
  close(): Promise<void>
}

/** Work holds a connection only for its statements: more would wait for each other in the database, and each takes time to open. */
const CONNECTIONS = 5
const CONNECT_TIMEOUT_S = 5
const CLOSE_TIMEOUT_S = 5

/** A restart of the database takes seconds; who waits longer is told. */
const WAITS_MS = [20, 50, 100, 200, 400, 800, 1_600, 3_200]

// The types that the driver would give as text, or take apart otherwise than the stores want them.
const TYPES = {
  int8: { to: 20, from: [20], serialize: String, parse: wholeNumber },
  // Given as text by `json`: a string is a document, too.
  json: {
    to: 3802,
    from: [114, 3802],
    serialize: String,
    parse: (text: string) => JSON.parse(text),
  },
  bytea: {
    to: 17,
    from: [17],
    serialize: (bytes: Uint8Array) => `\\x${Buffer.from(bytes).toString('hex')}`,
    // Copied: small ones would come from a pool, at any offset.
    parse: (text: string) => new Uint8Array(Buffer.from(text.slice(2), 'hex')),
  },
}

const PLANNER = {
  // A plan of one of the long statements costs more than carrying it out, and never depends on its values.
  plan_cache_mode: 'force_generic_plan',
  // Made once, it stays when the tables have grown: the stores look up a few rows by their keys, so a plan made for
  // small tables must not be one that reads them whole.
  enable_seqscan: 'off',
  enable_mergejoin: 'off',
  random_page_cost: '0.1',
  // To compile one of the long statements takes a hundred times as long as to carry it out.
  jit: 'off',
}

interface Connection {
  readonly session: ReturnType<typeof postgres>
  isLost: boolean
}

/**
 * A driver of its own for each connection, used by one piece of work at a time. The driver's pool can neither begin a
 * transaction nor reserve a connection without a promise that nobody awaits: a database that goes away at that moment
 * would end the process.
 */
function connect({ url }: PostgresOptions): Connection {
  const session = postgres(url.reveal(), {
    max: 1,
    max_lifetime: null,
    types: TYPES,
    fetch_types: false,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => 0,
    onnotice: () => undefined,
    onclose: () => {
      connection.isLost = true
    },
    connection: { application_name: 'sluice', ...PLANNER },
  })
  const connection: Connection = { session, isLost: false }
  return connection
}

export function openPostgres(options: PostgresOptions): PostgresDatabase {
  const { clock, connections = CONNECTIONS } = options
  const throughGate = gate(connections)
  const open = new Set<Connection>()
  const idle: Connection[] = []
  let isClosed = false

  const take = (): Connection => {
    const known = idle.pop()
    if (known && !known.isLost) return known
    if (known) {
      void end(known)
      return take()
    }
    const fresh = connect(options)
    open.add(fresh)
    return fresh
  }
  // What ended one of them has mostly ended all, and the driver never answers what it is given before it has noticed.
  const lose = (connection: Connection) => {
    for (const one of [connection, ...idle]) one.isLost = true
  }
  const giveBack = (connection: Connection) => {
    if (!connection.isLost && !isClosed) idle.push(connection)
    else void end(connection)
  }
  const end = async (connection: Connection) => {
    open.delete(connection)
    await connection.session.end({ timeout: CLOSE_TIMEOUT_S }).catch(() => undefined)
  }
  const attempt = <T>(work: (connection: Connection) => Promise<T>): Promise<T> =>
    throughGate(async () => {
      if (isClosed) throw new Unconnected('CONNECTION_ENDED')
      const mine = take()
      try {
        return await work(mine)
      } catch (error) {
        if (error instanceof LostBeforeCommit || isLost(error)) lose(mine)
        throw error
      } finally {
        giveBack(mine)
      }
    })
  const insist = async <T>(
    work: (connection: Connection) => Promise<T>,
    again: readonly Undone[],
  ) => {
    for (const waitMs of WAITS_MS) {
      try {
        return await attempt(work)
      } catch (error) {
        if (isClosed || !again.includes(undoneOf(error))) throw shown(error)
        await clock.sleep(waitMs)
      }
    }
    return attempt(work).catch((error: unknown) => {
      throw shown(error)
    })
  }
  const insisting = (again: readonly Undone[]): Database['repeatable'] => ({
    all: (statement, ...values) => insist((on) => all(on, statement, values), again),
    run: (statement, ...values) => insist((on) => run(on, statement, values), again),
    transaction: (work) => insist((on) => inTransaction(on, 'begin', work), again),
  })

  return {
    ...insisting(['not-done']),
    repeatable: insisting(['not-done', 'unknown']),
    snapshot: (work) =>
      insist(
        (on) => inTransaction(on, 'begin isolation level repeatable read read only', work),
        ['not-done', 'unknown'],
      ),
    check: () =>
      attempt((on) => run(on, 'select 1', [])).then(
        () => undefined,
        (error: unknown) => {
          throw shown(error)
        },
      ),
    async close() {
      isClosed = true
      await Promise.all([...open].map(end))
    },
  }
}

async function all<Row>(on: Connection, statement: string, values: readonly SqlValue[]) {
  return [...(await send(on, statement, values))] as Row[]
}

async function run(on: Connection, statement: string, values: readonly SqlValue[]) {
  return (await send(on, statement, values)).count
}

function send(on: Connection, statement: string, values: readonly SqlValue[]) {
  const kept = values.map((value) => (typeof value === 'string' ? keptText(value) : value))
  return on.session.unsafe(statement, kept as never[], { prepare: true })
}

/** Told apart by its code, like the driver's own. */
class Unconnected extends Error {
  readonly code: 'CONNECTION_CLOSED' | 'CONNECTION_ENDED'

  constructor(code: Unconnected['code']) {
    super(`no connection (${code})`)
    this.code = code
  }
}

/** The connection went before the commit was sent: whatever the transaction did is undone. */
class LostBeforeCommit extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before the commit', { cause })
  }
}

async function inTransaction<T>(
  connection: Connection,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  // Once lost, the driver would connect anew: what follows would be done outside of the transaction.
  const held = () => {
    if (connection.isLost) throw new Unconnected('CONNECTION_CLOSED')
    return connection
  }
  const sql: Sql = {
    all: async (statement, ...values) => all(held(), statement, values),
    run: async (statement, ...values) => run(held(), statement, values),
  }
  let result: T
  try {
    await connection.session.unsafe(begin)
    result = await work(sql)
    held()
  } catch (error) {
    if (connection.isLost || isLost(error)) throw new LostBeforeCommit(error)
    await connection.session.unsafe('rollback').catch((cause: unknown) => {
      throw new LostBeforeCommit(cause)
    })
    throw error
  }
  await connection.session.unsafe('commit')
  return result
}

function undoneOf(error: unknown): Undone {
  return error instanceof LostBeforeCommit ? 'not-done' : undoneBy(error)
}

/** What the database or the driver says, without what it was about; our own errors as they are. */
function shown(error: unknown): unknown {
  if (error instanceof LostBeforeCommit) return new DatabaseError(error.cause)
  return error instanceof Error && 'code' in error ? new DatabaseError(error) : error
}

function wholeNumber(text: string): number {
  const value = Number(text)
  if (!Number.isSafeInteger(value)) throw new RangeError(`${text} is too great a number`)
  return value
}
