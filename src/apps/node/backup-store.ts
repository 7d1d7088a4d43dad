import { closeSync, existsSync, fsyncSync, openSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, ok, type Result } from '../../core/result.ts'
import { keptFiles, type KeptName } from './kept-secret.ts'

export type BackupFailure =
  | { readonly kind: 'store-missing'; readonly folder: string }
  | { readonly kind: 'file-exists'; readonly file: string }
  | { readonly kind: 'no-such-folder'; readonly folder: string }
  | { readonly kind: 'not-written'; readonly file: string; readonly why: string }

export interface Backup {
  readonly file: string
  readonly bytes: number
  readonly schema: number
  /** The keys that are in it. */
  readonly keys: readonly KeptName[]
}

export interface BackupOptions {
  readonly folder: string
  readonly file: string
  readonly withKeys: boolean
}

const BUSY_TIMEOUT_MS = 10_000

/** Of a backup alone: no store has it. */
export const KEYS_TABLE = 'backup_key'

/**
 * A copy of the store as it is at one moment, in one file, also while a server works with it. It is written beside
 * and gets its name when it is whole and on the disk: a file of that name is a backup, or is not there.
 */
export function backupStore({
  folder,
  file,
  withKeys,
}: BackupOptions): Result<Backup, BackupFailure> {
  const store = join(folder, 'sluice.db')
  const target = resolve(file)
  if (!existsSync(store)) return fail({ kind: 'store-missing', folder })
  if (existsSync(target)) return fail({ kind: 'file-exists', file: target })
  if (!existsSync(dirname(target))) return fail({ kind: 'no-such-folder', folder: dirname(target) })
  const draft = `${target}.${process.pid}.draft`
  try {
    copyInto(store, draft)
    const keys = withKeys ? keptFiles(folder, ['master-key', 'author-key']) : []
    const schema = finish(draft, keys)
    flush(draft)
    renameSync(draft, target)
    const { size: bytes } = statSync(target)
    return ok({ file: target, bytes, schema, keys: keys.map(({ name }) => name) })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail({ kind: 'not-written', file: target, why })
  } finally {
    rmSync(draft, { force: true })
  }
}

function copyInto(store: string, draft: string): void {
  const database = new DatabaseSync(store, { timeout: BUSY_TIMEOUT_MS })
  try {
    database.prepare('vacuum into ?').run(draft)
  } finally {
    database.close()
  }
}

/** Puts the keys in, and looks at the copy: one that cannot be read back is none. */
function finish(
  draft: string,
  keys: readonly { readonly name: KeptName; readonly text: string }[],
): number {
  const copy = new DatabaseSync(draft)
  try {
    if (keys.length > 0) {
      copy.exec(`create table ${KEYS_TABLE} (name text primary key, value text not null) strict`)
      const insert = copy.prepare(`insert into ${KEYS_TABLE} (name, value) values (?, ?)`)
      for (const { name, text } of keys) insert.run(name, text)
    }
    const [checked] = copy.prepare('pragma integrity_check(1)').all()
    if (checked?.['integrity_check'] !== 'ok') {
      throw new Error(`the store is damaged: ${String(checked?.['integrity_check'])}`)
    }
    const [row] = copy.prepare('select max(number) as schema from schema_migration').all()
    return Number(row?.['schema'] ?? 0)
  } finally {
    copy.close()
  }
}

export function flush(file: string): void {
  const opened = openSync(file, 'r+')
  try {
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
}
