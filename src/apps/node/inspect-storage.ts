import {
  accessSync,
  constants,
  existsSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { NEWEST_SCHEMA } from '../../stores/sqlite/migrate.ts'
import type { StorageState } from '../../submit/doctor/check-surroundings.ts'
import { errorCodeOf } from './error-code.ts'

/** A larger file takes seconds to look through, and a server answers nobody else meanwhile. */
const LARGEST_CHECKED_BYTES = 256 * 1_048_576

/** What can be said of the embedded store without changing it, also while a server works with it. */
export function inspectStorage(folder: string): StorageState {
  const where = resolve(folder)
  const unwritable = whyUnwritable(where)
  const file = join(where, 'sluice.db')
  const room = { where, ...(unwritable !== undefined && { unwritable }), ...freeBytesOf(where) }
  if (!existsSync(file)) return { ...room, state: 'absent' }
  return { ...room, state: 'present', ...inspectDatabase(file) }
}

/** Whether the next one to work with the store brings its schema up. */
export function isOlderStore(folder: string): boolean {
  const file = join(resolve(folder), 'sluice.db')
  if (!existsSync(file)) return false
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    return schemaIn(database) < NEWEST_SCHEMA
  } catch {
    // Whoever opens it to work with it says why it cannot be.
    return false
  } finally {
    database?.close()
  }
}

/** Tried, not asked: a file system that is read-only tells so only then. */
function whyUnwritable(folder: string): string | undefined {
  try {
    const nearest = nearestExisting(folder)
    if (!statSync(nearest).isDirectory()) return 'ENOTDIR'
    if (nearest !== folder) {
      accessSync(nearest, constants.W_OK)
      return undefined
    }
    const probe = join(folder, `.doctor-${process.pid}`)
    writeFileSync(probe, '', { mode: 0o600 })
    rmSync(probe, { force: true })
    return undefined
  } catch (error) {
    return errorCodeOf(error)
  }
}

function nearestExisting(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : nearestExisting(dirname(path))
}

function freeBytesOf(folder: string): Pick<StorageState, 'freeBytes'> {
  try {
    const { bavail, bsize } = statfsSync(nearestExisting(folder))
    return { freeBytes: bavail * bsize }
  } catch {
    // Not every file system tells.
    return {}
  }
}

function inspectDatabase(
  file: string,
): Pick<StorageState, 'unreadable' | 'damage' | 'schema' | 'bytes'> {
  const bytes = statSync(file).size
  let database: DatabaseSync | undefined
  try {
    database = new DatabaseSync(file, { readOnly: true })
    const damage = bytes > LARGEST_CHECKED_BYTES ? undefined : damageIn(database)
    const schema = { found: schemaIn(database), newest: NEWEST_SCHEMA }
    return { bytes, schema, ...(damage && { damage }) }
  } catch (error) {
    return { bytes, unreadable: error instanceof Error ? error.message : String(error) }
  } finally {
    database?.close()
  }
}

function schemaIn(database: DatabaseSync): number {
  const [row] = database.prepare('select max(number) as found from schema_migration').all()
  return Number(row?.['found'] ?? 0)
}

function damageIn(database: DatabaseSync): readonly string[] {
  const rows = database.prepare('pragma quick_check(3)').all()
  return rows.map((row) => String(row['quick_check'])).filter((line) => line !== 'ok')
}
