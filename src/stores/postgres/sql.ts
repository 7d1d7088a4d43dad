export type SqlValue = string | number | boolean | null | Uint8Array

/**
 * The little SQL that the stores need of PostgreSQL. Parameters are `$1`, `$2`, …; JSON is given as `json(…)` and
 * comes back parsed; a bigint comes back as a number and stays below 2^53; bytea comes back as bytes.
 */
export interface Sql {
  /** The rows; their columns are what the statement names them. */
  all<Row>(statement: string, ...values: readonly SqlValue[]): Promise<Row[]>
  /** The number of rows changed. */
  run(statement: string, ...values: readonly SqlValue[]): Promise<number>
}

/** Each statement outside of a transaction is one by itself. */
export interface Database extends Sql {
  /**
   * The same for what may be done twice without harm. It is tried again even when the connection was lost and nobody
   * knows whether it was done; everything else is tried again only when it certainly was not.
   */
  readonly repeatable: Sql & Pick<Database, 'transaction'>
  /** All of `work` or nothing; it sees what others have committed before each of its statements. May run again. */
  transaction<T>(work: (sql: Sql) => Promise<T>): Promise<T>
  /** Reads of one and the same moment. */
  snapshot<T>(work: (sql: Sql) => Promise<T>): Promise<T>
}

/** The first row, for statements that give at most one. */
export function first<Row>(rows: readonly Row[]): Row | undefined {
  return rows[0]
}

/** SQL's null, for the columns that are optional in a record. */
export function orNull<T extends SqlValue>(value: T | undefined): T | null {
  return value ?? null
}

export function orUndefined<T>(value: T | null): T | undefined {
  return value ?? undefined
}

// What JSON.stringify writes for NUL and for half of a surrogate pair.
const UNKEPT = /\\u(0000|d[89a-f])/

/** PostgreSQL keeps neither NUL nor half a surrogate pair: the one is left out, the other becomes U+FFFD. */
export function json(value: unknown): string {
  const text = JSON.stringify(value)
  return UNKEPT.test(text) ? JSON.stringify(keptJson(JSON.parse(text))) : text
}

const ESCAPED = /["\\]/
const ALL_ESCAPED = /["\\]/g

/** For a parameter that is `$1::text[]`. */
export function textArray(texts: readonly string[]): string {
  return `{${texts.map(quoted).join()}}`
}

function quoted(text: string): string {
  return ESCAPED.test(text) ? `"${text.replaceAll(ALL_ESCAPED, '\\$&')}"` : `"${text}"`
}

export function keptText(text: string): string {
  return text.replaceAll('\0', '').toWellFormed()
}

function keptJson(value: unknown): unknown {
  if (typeof value === 'string') return keptText(value)
  if (Array.isArray(value)) return value.map(keptJson)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [keptText(name), keptJson(inner)]),
  )
}
