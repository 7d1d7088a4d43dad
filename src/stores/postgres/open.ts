import type { Clock } from '../../core/clock.ts'
import type { Secret } from '../../core/secret.ts'
import type { OpenedStores } from '../opened-stores.ts'
import { type KeyCheck, postgresKeyCheck } from './key-check.ts'
import { migrate } from './migrate.ts'
import { openPostgres } from './postgres-sql.ts'
import { postgresStores } from './stores.ts'

export interface SharedStores extends OpenedStores {
  readonly keyCheck: KeyCheck
  check(): Promise<void>
  close(): Promise<void>
}

export interface OpenOptions {
  readonly url: Secret
  /** Only waits: what the time is, the database says. */
  readonly clock: Clock
  readonly connections?: number
}

/** The store of many servers: connects, brings the schema up to date, and gives every store over it. */
export async function openPostgresStores(options: OpenOptions): Promise<SharedStores> {
  const database = openPostgres(options)
  try {
    await database.check()
    await migrate(database, options.clock.now())
  } catch (error) {
    await database.close()
    throw error
  }
  return {
    ...postgresStores(database),
    keyCheck: postgresKeyCheck(database),
    check: () => database.check(),
    close: () => database.close(),
  }
}
