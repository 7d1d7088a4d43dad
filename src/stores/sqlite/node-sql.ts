import { DatabaseSync, type StatementSync } from 'node:sqlite'
import { copyDatabase } from './copy-database.ts'
import type { Sql } from './sql.ts'

/** How long a writer waits for another process's transaction before it gives up. The whole process waits with it. */
const BUSY_TIMEOUT_MS = 2_000

export interface NodeSql extends Sql {
  close(): void
}

/** A database file: WAL, so that readers never wait, and a sync at every commit, so that a commit is a promise. */
export function openNodeSql(path: string): NodeSql {
  const database = new DatabaseSync(path, { timeout: BUSY_TIMEOUT_MS })
  database.exec('pragma journal_mode = wal')
  database.exec('pragma synchronous = full')
  return sqlOver(database)
}

// Of a database's first bytes: how it is written and read, 2 for WAL, which memory does not have, 1 without.
const WRITE_VERSION = 18
const READ_VERSION = 19

/**
 * What is in a database file now, as a database of its own in memory: what is written there is written nowhere else.
 * Whoever works with the file is not disturbed, and no byte of it is changed. Empty where `path` is undefined. `prepare`
 * is done on the way: in memory SQLite lets a database grow to 1 GiB, and a migration may write every row a second time.
 */
export function copyToMemory(path: string | undefined, prepare: (sql: Sql) => void): NodeSql {
  const copy = new DatabaseSync(':memory:')
  const sql = sqlOver(copy)
  if (path === undefined) {
    prepare(sql)
    return sql
  }
  const bytes = bytesOf(path, prepare)
  bytes[WRITE_VERSION] = 1
  bytes[READ_VERSION] = 1
  copy.deserialize(bytes)
  return sql
}

function bytesOf(path: string, prepare: (sql: Sql) => void): Uint8Array {
  const copied = copyDatabase(path)
  try {
    const database = new DatabaseSync(copied.path)
    try {
      // Nobody needs what a crash leaves of it.
      database.exec('pragma synchronous = off')
      prepare(sqlOver(database))
      leaveOutFreePages(database)
      return database.serialize()
    } finally {
      database.close()
    }
  } finally {
    copied.remove()
  }
}

/** A migration that makes a table anew leaves as many as it writes: all of them would be in memory. */
function leaveOutFreePages(database: DatabaseSync): void {
  const count = (pragma: string) =>
    Number(Object.values(database.prepare(`pragma ${pragma}`).get() ?? {})[0])
  if (count('freelist_count') > count('page_count') / 4) database.exec('vacuum')
}

function sqlOver(database: DatabaseSync): NodeSql {
  const prepared = new Map<string, StatementSync>()
  const statementFor = (text: string) => {
    const known = prepared.get(text)
    if (known) return known
    const made = database.prepare(text)
    prepared.set(text, made)
    return made
  }
  const numberOf = (text: string) => Number(Object.values(statementFor(text).get() ?? {})[0])
  return {
    all: <Row>(statement: string, ...values: readonly (string | number | null | Uint8Array)[]) =>
      statementFor(statement).all(...values) as Row[],
    run: (statement, ...values) => Number(statementFor(statement).run(...values).changes),
    transaction(work) {
      // Immediate: a transaction that reads first and writes later must not find that another has written between.
      statementFor('begin immediate').run()
      try {
        const result = work()
        statementFor('commit').run()
        return result
      } catch (error) {
        if (database.isTransaction) database.exec('rollback')
        throw error
      }
    },
    version: askedOnce(
      // The first tells of what other connections commit, the second of what this one changes: neither of both.
      () => `${numberOf('pragma data_version')} ${numberOf('select total_changes()')}`,
    ),
    close() {
      prepared.clear()
      database.close()
    },
  }
}

/** Once for all who ask in one turn of the event loop, and after each of them: to ask takes the database's lock. */
function askedOnce<T>(ask: () => T): () => Promise<T> {
  let asked: Promise<T> | undefined
  return () =>
    (asked ??= new Promise((resolve, reject) => {
      setImmediate(() => {
        asked = undefined
        try {
          resolve(ask())
        } catch (error) {
          reject(error)
        }
      })
    }))
}
