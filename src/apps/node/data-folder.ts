import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, ok, type Result } from '../../core/result.ts'
import { errorCodeOf } from './error-code.ts'
import { readServerFile, type ServerFile, writeServerFile } from './server-file.ts'
import type { StartFailure } from './start-failure.ts'

/** The folder, held by this process alone until it is released or the process is gone, however it ends. */
export interface DataFolder {
  readonly path: string
  /** Tells where the server can be reached. */
  announce(server: ServerFile): void
  release(): void
}

type FolderFailure = Extract<StartFailure, { kind: 'data-folder-unusable' | 'data-folder-in-use' }>

const SQLITE_BUSY = 5

export function openDataFolder(name: string): Result<DataFolder, FolderFailure> {
  const path = resolve(name)
  const announcement = join(path, 'server.json')
  try {
    makeFolder(path)
    if (!statSync(path).isDirectory()) {
      return fail({ kind: 'data-folder-unusable', folder: path, code: 'ENOTDIR' })
    }
    const lock = lockOf(join(path, 'server.lock'))
    if (!lock) {
      return fail({
        kind: 'data-folder-in-use',
        folder: path,
        holder: readServerFile(announcement),
      })
    }
    // Left behind by a server that was killed: whoever held the lock is gone.
    rmSync(announcement, { force: true })
    return ok({
      path,
      announce: (server) => writeServerFile(announcement, server),
      release() {
        if (!lock.isOpen) return
        rmSync(announcement, { force: true })
        lock.close()
      },
    })
  } catch (error) {
    return fail({ kind: 'data-folder-unusable', folder: path, code: errorCodeOf(error) })
  }
}

/** Whether a process holds the folder now. Changes nothing there; where it cannot be told, somebody may. */
export function isHeld(folder: string): boolean {
  const file = join(resolve(folder), 'server.lock')
  if (!existsSync(file)) return false
  let lock: DatabaseSync | undefined
  try {
    lock = new DatabaseSync(file, { readOnly: true })
    lock.prepare('select name from sqlite_schema').all()
    return false
  } catch {
    return true
  } finally {
    lock?.close()
  }
}

/** Not `recursive`: where the system says that there can be no such folder (/proc), Node tries for ever. */
function makeFolder(path: string): void {
  if (existsSync(path)) return
  makeFolder(dirname(path))
  mkdirSync(path, { mode: 0o700 })
}

/**
 * An exclusive SQLite transaction is a lock the system drops with the process. A process id in a file would not do:
 * a container that was killed starts again with the same few ids, and would find itself already running.
 */
function lockOf(file: string): DatabaseSync | undefined {
  const lock = new DatabaseSync(file)
  try {
    lock.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE')
    return lock
  } catch (error) {
    lock.close()
    if (error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY)
      return undefined
    throw error
  }
}
