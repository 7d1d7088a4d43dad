import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Evidence } from './evidence.ts'

const DATABASE = /\.db$/

/** Every file byte by byte, and every value of its tables: a long one lies in pieces in the file. */
export function searchFolder(
  evidence: Evidence,
  folder: string,
  { moment, except = [] }: { readonly moment: string; readonly except?: readonly string[] },
): void {
  for (const name of filesIn(folder)) {
    if (except.includes(name)) continue
    evidence.add('files', `${name} ${moment}`.trim(), readFileSync(join(folder, name)))
    if (DATABASE.test(name))
      searchTables(join(folder, name), (where, text) => {
        evidence.add('tables', `${where} ${moment}`.trim(), text)
      })
  }
}

/** Writes nothing, and leaves the file that SQLite keeps beside it as it is. */
export function searchTables(
  file: string,
  take: (table: string, text: string | Uint8Array) => void,
): void {
  const database = new DatabaseSync(file, { readOnly: true })
  try {
    const tables = database.prepare("select name from sqlite_schema where type = 'table'").all()
    for (const { name: table } of tables) {
      const rows = database.prepare(`select * from "${String(table)}"`).iterate()
      for (const row of rows) {
        for (const value of Object.values(row)) {
          if (typeof value === 'string' || value instanceof Uint8Array) take(String(table), value)
        }
      }
    }
  } finally {
    database.close()
  }
}

/** Files and folders that somebody else on this machine may read or write, each with what to do. */
export function looseModes(folder: string): readonly string[] {
  // Windows has no such modes: there the folder inherits who may read it.
  if (process.platform === 'win32') return []
  const looked = [{ path: folder, right: '700' }]
  for (const name of filesIn(folder)) looked.push({ path: join(folder, name), right: '600' })
  return looked.flatMap(({ path, right }) => {
    const mode = statSync(path).mode & 0o777
    if ((mode & 0o077) === 0) return []
    return [`${path} has mode ${mode.toString(8)}: others may get at it. chmod ${right} ${path}`]
  })
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
}
