import { inject } from 'vitest'
import { systemClock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'

let count = 0

export interface TestDatabase {
  readonly url: string
  drop(): Promise<void>
}

/** A new database on the server that all tests share: a copy of `template`, or empty. */
export async function createTestDatabase(template = 'template0'): Promise<TestDatabase> {
  const answer = await fetch(inject('postgresAt'))
  const server = await answer.text()
  if (!answer.ok) throw new Error(server)
  const name = `test_${process.pid}_${count++}`
  await asRoot(server, `create database ${name} template ${template} strategy file_copy`)
  return {
    url: `${server}/${name}`,
    drop: () => asRoot(server, `drop database ${name} with (force)`),
  }
}

async function asRoot(server: string, statement: string): Promise<void> {
  const url = new Secret(`${server}/postgres`)
  const root = openPostgres({ url, clock: systemClock, connections: 1 })
  try {
    await root.run(statement)
  } finally {
    await root.close()
  }
}
