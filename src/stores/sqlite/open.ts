import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { freeLeases } from './lease-store.ts'
import { migrate, schemaOf } from './migrate.ts'
import { openNodeSql } from './node-sql.ts'
import { interruptRuns } from './run-store.ts'
import { sqliteStores } from './stores.ts'

export interface EmbeddedStores extends OpenedStores {
  /**
   * Ends what a killed process left behind: its leases are free at once, its runs are `interrupted`. Only for one who
   * alone can be working with this folder: nobody is asked whether they are still alive.
   */
  endAllWork(): void
  /** Throws when the database cannot be read. */
  check(): void
  close(): void
}

export interface OpenOptions {
  /** It exists; the database is `sluice.db` in it. */
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
}

/** The embedded store: opens the file, brings its schema up to date, and gives every store over it. */
export function openSqliteStores({ folder, clock, random }: OpenOptions): EmbeddedStores {
  const sql = openNodeSql(join(folder, 'sluice.db'))
  migrate(sql, clock.now())
  return {
    ...sqliteStores({ sql, clock, random }),
    endAllWork: () =>
      sql.transaction(() => {
        freeLeases(sql)
        interruptRuns(sql, clock.now())
      }),
    check: () => void schemaOf(sql),
    close: () => sql.close(),
  }
}
