/** Runs in a child process: opens a storage and carries out the calls that the parent sends. */
import type { Clock } from '../../src/core/clock.ts'
import { systemClock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import type { Database, Sql } from '../../src/stores/postgres/sql.ts'
import { postgresStores } from '../../src/stores/postgres/stores.ts'
import { openNodeSql, type NodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import type { Stores } from '../../src/stores/stores.ts'
import { countingRandom } from './counting-random.ts'
import { DECISIONS, type DecisionName } from './decisions.ts'
import { timed } from './timed-database.ts'

export interface StoreCall {
  readonly id: number
  readonly now: number
  readonly store: string
  readonly method: string
  /** A function is sent as `{ decision: name }`. */
  readonly args: readonly unknown[]
  readonly dieAtStep: number | undefined
}
export type StoreAnswer = { readonly id: number } & (
  | { readonly value: unknown }
  | { readonly error: string }
)

let now = 0
let stepsLeft = Number.POSITIVE_INFINITY
const clock: Clock = {
  now: () => now,
  sleep: () => Promise.reject(new Error('a store never sleeps')),
  after: () => () => undefined,
}

function step() {
  if (--stepsLeft === 0) process.kill(process.pid, 'SIGKILL')
}

/** The same database, but each statement and each commit is a step at which the process may die. */
function mortal(sql: NodeSql): NodeSql {
  return {
    ...sql,
    all: <Row>(...ask: Parameters<NodeSql['all']>) => {
      step()
      return sql.all<Row>(...ask)
    },
    run: (...ask) => {
      step()
      return sql.run(...ask)
    },
    transaction: (work) =>
      sql.transaction(() => {
        const result = work()
        step()
        return result
      }),
  }
}

function mortalDatabase(database: Database): Database {
  const mortalSql = (sql: Sql): Sql => ({
    all: <Row>(...ask: Parameters<Sql['all']>) => {
      step()
      return sql.all<Row>(...ask)
    },
    run: (...ask) => {
      step()
      return sql.run(...ask)
    },
  })
  const mortalWork =
    <T>(work: (sql: Sql) => Promise<T>) =>
    async (sql: Sql) => {
      const result = await work(mortalSql(sql))
      step()
      return result
    }
  const mortalAll = (on: Database['repeatable']): Database['repeatable'] => ({
    ...mortalSql(on),
    transaction: (work) => on.transaction(mortalWork(work)),
  })
  return {
    ...mortalAll(database),
    repeatable: mortalAll(database.repeatable),
    snapshot: (work) => database.snapshot(mortalWork(work)),
  }
}

const [storage = ''] = process.argv.slice(2)
const stores = storage.startsWith('postgres:') ? inPostgres() : inFile()

function inPostgres(): Stores {
  const database = openPostgres({ url: new Secret(storage), clock: systemClock })
  return postgresStores(mortalDatabase(timed(database, clock)))
}

function inFile(): Stores {
  const sql = openNodeSql(storage)
  return sqliteStores({ sql: mortal(sql), clock, random: countingRandom() })
}

process.on('message', (call: StoreCall) => {
  void answer(call).then((reply) => process.send?.(reply))
})
process.on('disconnect', () => process.exit(0))
process.send?.('ready')

async function answer({ id, store, method, args, ...call }: StoreCall): Promise<StoreAnswer> {
  now = call.now
  stepsLeft = call.dieAtStep ?? Number.POSITIVE_INFINITY
  const methods = stores[store as keyof Stores] as unknown as Record<
    string,
    (...given: unknown[]) => Promise<unknown>
  >
  try {
    return { id, value: await methods[method]?.(...args.map(decisionOf)) }
  } catch (error) {
    return { id, error: String(error) }
  }
}

function decisionOf(arg: unknown): unknown {
  const isNamed = typeof arg === 'object' && arg !== null && 'decision' in arg
  return isNamed ? DECISIONS[arg.decision as DecisionName] : arg
}
