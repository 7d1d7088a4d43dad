export type SqlValue = string | number | null | Uint8Array

/**
 * The little SQL that `node:sqlite` and a Durable Object's storage both do, synchronously.
 * Parameters are positional (`?`) and at most 100; integers stay below 2^53; blobs come back as bytes.
 */
export interface Sql {
  /** The rows; their columns are what the statement names them. */
  all<Row>(statement: string, ...values: readonly SqlValue[]): Row[]
  /** The number of rows changed. */
  run(statement: string, ...values: readonly SqlValue[]): number
  /** All of `work` or nothing, alone among writers; what it throws undoes it and passes on. Not nested. */
  transaction<T>(work: () => T): T
  /**
   * Another one than before as soon as anything may read otherwise, whoever wrote it: as of a moment after it was asked
   * for, outside of any transaction. Absent where nobody can tell.
   */
  version?(): Promise<string>
}

/**
 * At most so many rows. Not `limit ?` alone: SQLite plans by its value, and so parses and plans the statement anew at
 * every call, which takes longer than to run it.
 */
export const LIMIT = 'limit ? + 0'

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
