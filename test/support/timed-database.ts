import type { Clock } from '../../src/core/clock.ts'
import type { Database, Sql } from '../../src/stores/postgres/sql.ts'

/** The same database at the time of `clock`: every statement is told it before, in the same transaction. */
export function timed(database: Database, clock: Pick<Clock, 'now'>): Database {
  const tell = (sql: Sql) =>
    sql.run(`select set_config('sluice.now', $1, true)`, String(clock.now()))
  const timedWork =
    <T>(work: (sql: Sql) => Promise<T>) =>
    async (sql: Sql) => {
      await tell(sql)
      return work(sql)
    }
  const timedAll = (on: Database['repeatable']): Database['repeatable'] => ({
    all: <Row>(...ask: Parameters<Sql['all']>) =>
      on.transaction(timedWork((sql) => sql.all<Row>(...ask))),
    run: (...ask) => on.transaction(timedWork((sql) => sql.run(...ask))),
    transaction: (work) => on.transaction(timedWork(work)),
  })
  return {
    ...timedAll(database),
    repeatable: timedAll(database.repeatable),
    snapshot: (work) => database.snapshot(timedWork(work)),
  }
}
