import { statSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { freeLeases } from './lease-store.ts'
import { migrate, schemaOf } from './migrate.ts'
import { copyToMemory, type NodeSql, openNodeSql } from './node-sql.ts'
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
  /** The database is `sluice.db` in it. */
  readonly folder: string
  readonly clock: Clock
  readonly random: Random
}

/** The embedded store: opens the file, brings its schema up to date, and gives every store over it. */
export function openSqliteStores(options: OpenOptions): EmbeddedStores {
  const sql = openNodeSql(databaseOf(options.folder))
  migrate(sql, options.clock.now())
  return storesOver(sql, options)
}

/**
 * The embedded store as it is at this moment, to look at or to try something out: nothing that is done with it changes
 * the file, and the file may be at work. Empty where the folder holds none, or does not exist.
 */
export function openSqliteSnapshot(options: OpenOptions): EmbeddedStores {
  const file = databaseOf(options.folder)
  const path = isThere(file) ? file : undefined
  return storesOver(
    copyToMemory(path, (sql) => migrate(sql, options.clock.now())),
    options,
  )
}

/** One that may not be looked at is not an absent one: that throws. */
function isThere(file: string): boolean {
  try {
    statSync(file)
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return false
    throw error
  }
}

const databaseOf = (folder: string) => join(folder, 'sluice.db')

function storesOver(sql: NodeSql, { clock, random }: OpenOptions): EmbeddedStores {
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
