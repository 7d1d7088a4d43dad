import {
  chmodSync,
  copyFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { fail, ok, type Result } from '../../core/result.ts'
import { migrate, NEWEST_SCHEMA, schemaOf } from '../../stores/sqlite/migrate.ts'
import { openNodeSql } from '../../stores/sqlite/node-sql.ts'
import { first, type Sql } from '../../stores/sqlite/sql.ts'
import { flush, KEYS_TABLE } from './backup-store.ts'
import { KEPT_NAMES, type KeptName } from './kept-secret.ts'

export type RestoreFailure =
  | { readonly kind: 'no-backup'; readonly file: string; readonly why: string }
  | { readonly kind: 'schema-too-new'; readonly found: number; readonly newest: number }
  | { readonly kind: 'no-such-schema'; readonly asked: number; readonly newest: number }
  /** There is something in the folder that would be lost. */
  | { readonly kind: 'already-there'; readonly names: readonly string[] }
  | { readonly kind: 'not-restored'; readonly why: string }

export interface Restored {
  readonly schema: number
  /** The keys that came with it. */
  readonly keys: readonly KeptName[]
  /** What was there before, by the name under which it is kept now. */
  readonly kept: readonly string[]
  /** What the backup holds and the schema that was asked for has no table for. */
  readonly leftOut: readonly LeftOut[]
}

export interface LeftOut {
  readonly table: string
  readonly rows: number
}

export interface RestoreOptions {
  /** Held by this process: nobody works with it. */
  readonly folder: string
  readonly file: string
  readonly replace: boolean
  readonly toVersion: number | undefined
  readonly now: number
}

interface LookedAt {
  readonly keys: readonly { readonly name: KeptName; readonly text: string }[]
}

/** Puts a backup in the place of the store, whole or not at all; what was there stays beside under another name. */
export function restoreStore(options: RestoreOptions): Result<Restored, RestoreFailure> {
  const { folder, file, replace, toVersion, now } = options
  if (toVersion !== undefined && (toVersion < 1 || toVersion > NEWEST_SCHEMA)) {
    return fail({ kind: 'no-such-schema', asked: toVersion, newest: NEWEST_SCHEMA })
  }
  const backup = lookAt(file)
  if (!backup.ok) return backup
  const { keys } = backup.value
  const inTheWay = [
    ...['sluice.db'].filter((name) => existsSync(join(folder, name))),
    ...keys.filter((key) => isAnother(folder, key)).map(({ name }) => name),
  ]
  if (inTheWay.length > 0 && !replace) return fail({ kind: 'already-there', names: inTheWay })

  const draft = join(folder, 'sluice.db.restoring')
  try {
    const { schema, leftOut } = prepare({ file, draft, toVersion, now })
    const kept = setAside(folder, inTheWay, now)
    renameSync(draft, join(folder, 'sluice.db'))
    for (const { name, text } of keys) writeFileSync(join(folder, name), text, { mode: 0o600 })
    return ok({ schema, keys: keys.map(({ name }) => name), kept, leftOut })
  } catch (error) {
    return fail({
      kind: 'not-restored',
      why: error instanceof Error ? error.message : String(error),
    })
  } finally {
    for (const suffix of SUFFIXES) rmSync(`${draft}${suffix}`, { force: true })
  }
}

const SUFFIXES = ['', '-wal', '-shm'] as const

function lookAt(file: string): Result<LookedAt, RestoreFailure> {
  let database: DatabaseSync | undefined
  try {
    if (!existsSync(file)) return fail({ kind: 'no-backup', file, why: 'there is no such file' })
    if (statSync(file).isDirectory()) {
      return fail({ kind: 'no-backup', file, why: 'it is a folder' })
    }
    database = new DatabaseSync(file, { readOnly: true })
    const [checked] = database.prepare('pragma integrity_check(1)').all()
    const damage = String(checked?.['integrity_check'])
    if (damage !== 'ok') return fail({ kind: 'no-backup', file, why: `it is damaged: ${damage}` })
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
    const has = (table: string) => tables.some(({ name }) => name === table)
    if (!has('schema_migration')) {
      return fail({ kind: 'no-backup', file, why: 'it is a database of something else' })
    }
    const [row] = database.prepare('select max(number) as schema from schema_migration').all()
    const found = Number(row?.['schema'] ?? 0)
    if (found > NEWEST_SCHEMA) return fail({ kind: 'schema-too-new', found, newest: NEWEST_SCHEMA })
    const rows = has(KEYS_TABLE)
      ? database.prepare(`select name, value from ${KEYS_TABLE}`).all()
      : []
    const keys = KEPT_NAMES.flatMap((name) => {
      const value = rows.find((each) => each['name'] === name)?.['value']
      return typeof value === 'string' ? [{ name, text: value }] : []
    })
    return ok({ keys })
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error)
    return fail({ kind: 'no-backup', file, why })
  } finally {
    database?.close()
  }
}

function isAnother(folder: string, { name, text }: LookedAt['keys'][number]): boolean {
  const file = join(folder, name)
  return existsSync(file) && readFileSync(file, 'utf8').trim() !== text.trim()
}

/** The copy as it will be: without the keys, in the schema that was asked for, on the disk. */
function prepare(options: {
  readonly file: string
  readonly draft: string
  readonly toVersion: number | undefined
  readonly now: number
}): Pick<Restored, 'schema' | 'leftOut'> {
  const { file, draft, toVersion, now } = options
  for (const suffix of SUFFIXES) rmSync(`${draft}${suffix}`, { force: true })
  copyFileSync(file, draft)
  chmodSync(draft, 0o600)
  const sql = openNodeSql(draft)
  try {
    // What is deleted is overwritten: the keys are not to stay behind in free pages.
    sql.all('pragma secure_delete = on')
    sql.run(`drop table if exists ${KEYS_TABLE}`)
    const before = rowsByTable(sql)
    if (toVersion !== undefined) migrate(sql, now, toVersion)
    const after = rowsByTable(sql)
    const leftOut = before.filter(
      ({ table, rows }) => rows > 0 && !after.some((kept) => kept.table === table),
    )
    return { schema: schemaOf(sql), leftOut }
  } finally {
    sql.close()
    flush(draft)
  }
}

/** Each table that is not SQLite's own, with how many rows it has. */
function rowsByTable(sql: Sql): readonly LeftOut[] {
  const tables = sql.all<{ name: string }>(
    "select name from sqlite_schema where type = 'table' and name not like 'sqlite!_%' escape '!'",
  )
  return tables.map(({ name: table }) => {
    const counted = first(sql.all<{ rows: number }>(`select count(*) as rows from "${table}"`))
    return { table, rows: counted?.rows ?? 0 }
  })
}

/** Under a name of its own, a database with what SQLite keeps beside it: it can be put back as it was. */
function setAside(folder: string, names: readonly string[], now: number): readonly string[] {
  const stamp = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '')
  return names.map((name) => {
    const aside = `${name}.before-${stamp}`
    for (const suffix of SUFFIXES) {
      if (existsSync(join(folder, `${name}${suffix}`))) {
        renameSync(join(folder, `${name}${suffix}`), join(folder, `${aside}${suffix}`))
      }
    }
    return aside
  })
}
