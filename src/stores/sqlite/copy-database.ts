import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  mkdtempSync,
  openSync,
  readSync,
  rmSync,
  statSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** As many as this only where somebody writes without a pause. */
const TRIES = 20
const WAL_HEADER_BYTES = 32

/**
 * A copy of a database and its log that belong together, in a folder of its own. Of the original nothing is changed, not
 * even tidied up: whoever opens it, and were it to read, writes the log back as the last to close it. Not for a process
 * that has the original open itself: to close a file here drops the locks that it holds there.
 */
export function copyDatabase(path: string): { readonly path: string; remove(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-copy-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  const copy = join(folder, 'copy.db')
  try {
    for (let tries = 0; tries < TRIES; tries++) {
      if (copyOnce(path, copy)) return { path: copy, remove }
    }
    throw new Error('it is being written all the time')
  } catch (error) {
    remove()
    throw error
  }
}

/**
 * The database first: pages that are half written back meanwhile are whole in the log, as long as it was not begun anew.
 * Then it would have another header.
 */
function copyOnce(path: string, copy: string): boolean {
  const before = stateOf(path)
  copyFile(path, copy)
  rmSync(`${copy}-wal`, { force: true })
  if (before.startsWith('log')) {
    try {
      copyFile(`${path}-wal`, `${copy}-wal`)
    } catch (error) {
      if (!isMissing(error)) throw error
      return false
    }
  }
  return stateOf(path) === before
}

function copyFile(from: string, to: string): void {
  copyFileSync(from, to, constants.COPYFILE_FICLONE)
  // The copy of a file that may only be read could not be opened with its log.
  chmodSync(to, 0o600)
}

/** The same twice means that what was copied between belongs together. */
function stateOf(path: string): string {
  const header = headerOf(`${path}-wal`)
  if (header !== undefined) return `log ${header}`
  const { mtimeNs, size } = statSync(path, { bigint: true })
  return `no log ${mtimeNs} ${size}`
}

function headerOf(log: string): string | undefined {
  let file: number | undefined
  try {
    file = openSync(log, 'r')
    const header = Buffer.alloc(WAL_HEADER_BYTES)
    readSync(file, header, 0, WAL_HEADER_BYTES, 0)
    return header.toString('hex')
  } catch (error) {
    if (!isMissing(error)) throw error
    return undefined
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
