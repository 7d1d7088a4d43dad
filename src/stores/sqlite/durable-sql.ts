import type { Sql, SqlValue } from './sql.ts'

type DurableValue = string | number | null | ArrayBuffer

/** What is used of a Durable Object's storage: no more, so that nothing here depends on its runtime's types. */
export interface DurableStorage {
  readonly sql: {
    exec(statement: string, ...values: readonly SqlValue[]): DurableCursor
  }
  transactionSync<T>(work: () => T): T
}

interface DurableCursor {
  toArray(): Record<string, DurableValue>[]
  readonly rowsRead: number
  readonly rowsWritten: number
}

/** Rows as they are billed: an index counts too. */
export interface RowCounts {
  readonly read: number
  readonly written: number
}

/** The storage of a Durable Object. It is written to disk before anything leaves the object: a commit is a promise. */
export function durableSql(
  storage: DurableStorage,
  count: (rows: RowCounts) => void = () => {},
): Sql {
  const exec = (statement: string, values: readonly SqlValue[]) => {
    const cursor = storage.sql.exec(statement, ...values)
    const rows = cursor.toArray()
    count({ read: cursor.rowsRead, written: cursor.rowsWritten })
    return rows
  }
  return {
    all: <Row>(statement: string, ...values: readonly SqlValue[]) =>
      exec(statement, values).map(withBytes) as Row[],
    run(statement, ...values) {
      exec(statement, values)
      // Not `rowsWritten`, which counts the rows of indexes too.
      return Number(exec('select changes() as changed', [])[0]?.['changed'])
    },
    // The object is alone with its storage: nobody can write between what a transaction reads and what it writes.
    transaction: (work) => storage.transactionSync(work),
  }
}

function withBytes(row: Record<string, DurableValue>): Record<string, SqlValue> {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      value instanceof ArrayBuffer ? new Uint8Array(value) : value,
    ]),
  )
}
