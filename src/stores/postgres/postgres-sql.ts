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

const CONNECTIONS = 10
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

type Pool = ReturnType<typeof connect>
type Session = Pick<Pool, 'unsafe'>

function connect({ url }: PostgresOptions, connections: number) {
  return postgres(url.reveal(), {
    max: connections,
    types: TYPES,
    // Not needed, but without it the driver never reserves a connection that it has yet to open.
    fetch_types: true,
    connect_timeout: CONNECT_TIMEOUT_S,
    backoff: () => 0,
    onnotice: () => undefined,
    // A plan of one of the long statements costs more than carrying it out, and never depends on its values.
    connection: { application_name: 'sluice', plan_cache_mode: 'force_generic_plan' },
  })
}

export function openPostgres(options: PostgresOptions): PostgresDatabase {
  const { clock, connections = CONNECTIONS } = options
  // The driver's own queue is for ever where its pool has ended in the meantime.
  const throughGate = gate(connections)
  let pool = connect(options, connections)
  let isClosed = false

  /** A pool that has lost a connection is not trusted with the next: its driver may wait there for ever. */
  const replace = (lost: Pool) => {
    if (pool !== lost || isClosed) return
    pool = connect(options, connections)
    lost.end({ timeout: CLOSE_TIMEOUT_S }).catch(() => undefined)
  }
  const attempt = <T>(work: (pool: Pool) => Promise<T>): Promise<T> =>
    throughGate(async () => {
      const mine = pool
      try {
        return await work(mine)
      } catch (error) {
        if (error instanceof LostBeforeCommit || isLost(error)) replace(mine)
        throw error
      }
    })
  const insist = async <T>(work: (pool: Pool) => Promise<T>, again: readonly Undone[]) => {
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
      await pool.end({ timeout: CLOSE_TIMEOUT_S })
    },
  }
}

async function all<Row>(on: Session, statement: string, values: readonly SqlValue[]) {
  return [...(await send(on, statement, values))] as Row[]
}

async function run(on: Session, statement: string, values: readonly SqlValue[]) {
  return (await send(on, statement, values)).count
}

function send(on: Session, statement: string, values: readonly SqlValue[]) {
  const kept = values.map((value) => (typeof value === 'string' ? keptText(value) : value))
  return on.unsafe(statement, kept as never[], { prepare: true })
}

/** The connection went before the commit was sent: whatever the transaction did is undone. */
class LostBeforeCommit extends Error {
  constructor(cause: unknown) {
    super('the connection was lost before the commit', { cause })
  }
}

function lostBeforeCommit(cause: unknown): never {
  throw new LostBeforeCommit(cause)
}

async function inTransaction<T>(
  pool: Pool,
  begin: string,
  work: (sql: Sql) => Promise<T>,
): Promise<T> {
  // Not the driver's own `begin`: it sends a rollback over a connection that is gone, which ends the process.
  const session = await pool.reserve().catch(lostBeforeCommit)
  const sql: Sql = {
    all: (statement, ...values) => all(session, statement, values),
    run: (statement, ...values) => run(session, statement, values),
  }
  let result: T
  try {
    await session.unsafe(begin)
    result = await work(sql)
  } catch (error) {
    if (isLost(error)) return lostBeforeCommit(error)
    await session.unsafe('rollback').catch(lostBeforeCommit)
    session.release()
    throw error
  }
  await session.unsafe('commit')
  session.release()
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
