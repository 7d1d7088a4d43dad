import type { Sql } from './sql.ts'

interface Waiting {
  attempt(): unknown
  done(result: unknown): void
  failed(error: unknown): void
}

/** So many microtasks later, those who were answered together have asked again, if they ask again at once. */
const MICROTASKS_TO_ASK_AGAIN = 16

/**
 * Transactions that are asked for at the same moment share one commit, and so one sync of the disk: each is done when all
 * of them are durable. One that throws undoes the others with it, so then each is carried out by itself.
 */
export function groupCommit(sql: Sql): <T>(work: () => T) => Promise<T> {
  let waiting: Waiting[] = []
  const flush = async () => {
    for (let passed = 0; passed < MICROTASKS_TO_ASK_AGAIN; passed++) await Promise.resolve()
    const group = waiting
    waiting = []
    try {
      const results = sql.transaction(() => group.map(({ attempt }) => attempt()))
      for (const [place, { done }] of group.entries()) done(results[place])
    } catch (error) {
      const [only, ...others] = group
      if (only && others.length === 0) return only.failed(error)
      for (const one of group) alone(sql, one)
    }
  }
  return <T>(work: () => T) =>
    new Promise<T>((resolve, failed) => {
      waiting.push({ attempt: work, done: (result) => resolve(result as T), failed })
      if (waiting.length === 1) void flush()
    })
}

function alone(sql: Sql, { attempt, done, failed }: Waiting): void {
  try {
    done(sql.transaction(attempt))
  } catch (error) {
    failed(error)
  }
}
