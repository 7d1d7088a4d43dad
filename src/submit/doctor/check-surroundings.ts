import { type Finding, finding } from './finding.ts'
import { FULL_BYTES, LOW_BYTES } from './limits.ts'

/** What can be said of a store by whoever can see it. */
export interface StorageState {
  /** A folder or a database, as it may be printed. */
  readonly where: string
  /** `absent`: nothing was stored there yet, but it could be. */
  readonly state: 'present' | 'absent'
  /** Why it cannot be written; undefined when it can. */
  readonly unwritable?: string
  /** Why the database cannot be opened. */
  readonly unreadable?: string
  /** What is damaged; empty when all is whole, undefined when it was not looked at. */
  readonly damage?: readonly string[]
  readonly schema?: { readonly found: number; readonly newest: number }
  readonly bytes?: number
  readonly freeBytes?: number
}

export function checkStorage(storage: StorageState): readonly Finding[] {
  const { where: subject, unwritable, unreadable, damage, schema, freeBytes } = storage
  const found: Finding[] = []
  const report = (code: Finding['code'], message: string, fix: string) =>
    found.push(finding(code, { subject, message, fix, details: detailsOf(storage) }))
  if (unwritable !== undefined) {
    report(
      'storage-unwritable',
      `The store cannot be written (${unwritable}).`,
      'Let the user that runs Sluice write there, or name another folder with SLUICE_DATA or --data.',
    )
  }
  if (unreadable !== undefined) {
    report(
      'storage-unreadable',
      `The database cannot be opened (${unreadable}).`,
      'Restore a backup, or move the file away to begin anew: every page is then submitted once more.',
    )
  }
  if (damage && damage.length > 0) {
    report(
      'storage-damaged',
      `The database is damaged: ${damage[0]}.`,
      'Stop Sluice, keep a copy of the file, and restore the last backup; then look at the disk.',
    )
  }
  if (schema && schema.found > schema.newest) {
    report(
      'storage-schema-newer',
      `The database has schema ${schema.found}; this version knows schemas up to ${schema.newest}.`,
      'Use the version of Sluice that wrote it, or restore a backup from before the update.',
    )
  }
  if (schema && schema.found < schema.newest) {
    report(
      'storage-schema-older',
      `The database has schema ${schema.found}, older than this version's ${schema.newest}.`,
      'Make a copy of it, then start Sluice once (sluice serve): it brings the database up to date.',
    )
  }
  if (freeBytes !== undefined && freeBytes < LOW_BYTES) {
    const isFull = freeBytes < FULL_BYTES
    report(
      isFull ? 'storage-full' : 'storage-low',
      `Only ${megabytes(freeBytes)} are free on its disk.`,
      'Make room on that disk, or move the data folder to another.',
    )
  }
  if (found.length > 0) return found
  if (storage.state === 'absent') {
    const message = 'Nothing is stored yet; the first command that stores something begins.'
    return [finding('storage-absent', { subject, message })]
  }
  return [finding('storage', { subject, message: healthy(storage), details: detailsOf(storage) })]
}

function healthy({ bytes, freeBytes, damage }: StorageState): string {
  const size = bytes === undefined ? '' : ` ${megabytes(bytes)} are stored.`
  const room = freeBytes === undefined ? '' : ` ${megabytes(freeBytes)} are free.`
  const whole = damage ? 'can be written and is whole' : 'can be written'
  return `The store ${whole}.${size}${room}`
}

function detailsOf({ schema, bytes, freeBytes, damage }: StorageState) {
  return {
    ...(schema && { schema: schema.found, newestSchema: schema.newest }),
    ...(bytes !== undefined && { bytes }),
    ...(freeBytes !== undefined && { freeBytes }),
    ...(damage && { damage }),
  }
}

function megabytes(bytes: number): string {
  return `${(bytes / 1_048_576).toFixed(bytes < 10_485_760 ? 1 : 0)} MB`
}

/** Something that is wrong, or doubtful, with a variable. */
export interface ConfigurationProblem {
  readonly level: 'invalid' | 'doubtful'
  readonly variable: string
  readonly message: string
  readonly fix: string
}

export function checkConfiguration(problems: readonly ConfigurationProblem[]): readonly Finding[] {
  if (problems.length === 0) {
    const message = 'Every variable is known and can be used.'
    return [finding('configuration', { subject: 'configuration', message })]
  }
  return problems.map(({ level, variable, message, fix }) =>
    finding(`configuration-${level}`, { subject: variable, message, fix }),
  )
}
