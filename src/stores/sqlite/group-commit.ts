import type { Sql } from './sql.ts'

interface Waiting {
  attempt(): unknown
  done(result: unknown): void
  failed(error: unknown): void
}

/**
 * Transactions that are asked for at the same moment share one commit, and so one sync of the disk: each is done when all
 * of them are durable. One that throws undoes the others with it, so then each is carried out by itself.
 */
export function groupCommit(sql: Sql): <T>(work: () => T) => Promise<T> {
  let waiting: Waiting[] = []
  const flush = () => {
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
      if (waiting.length === 0) queueMicrotask(flush)
      waiting.push({ attempt: work, done: (result) => resolve(result as T), failed })
    })
}

function alone(sql: Sql, { attempt, done, failed }: Waiting): void {
  try {
    done(sql.transaction(attempt))
  } catch (error) {
    failed(error)
  }
}
