import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { Secret } from '../../src/core/secret.ts'
import { systemClock } from '../../src/core/clock.ts'
import { migrate } from '../../src/stores/postgres/migrate.ts'
import { type PostgresServer, startPostgres } from './postgres-server.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Answers with the address of the PostgreSQL that all tests share; the first who asks starts it. */
    postgresAt: string
  }
}

/** The schema with a clock that tests set, to make databases from. */
export const TEMPLATE = 'sluice_template'

export async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  let started: Promise<PostgresServer> | undefined
  const door = createServer((_, answer) => {
    started ??= startWithTemplate()
    started.then(
      ({ url }) => answer.end(url),
      (error: unknown) => answer.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((done) => door.listen(0, '127.0.0.1', done))
  provide('postgresAt', `http://127.0.0.1:${(door.address() as AddressInfo).port}`)
  return async () => {
    door.close()
    await started?.then((server) => server.stop())
  }
}

async function startWithTemplate(): Promise<PostgresServer> {
  const server = await startPostgres()
  const open = (name: string) =>
    openPostgres({ url: new Secret(`${server.url}/${name}`), clock: systemClock, connections: 1 })
  const root = open('postgres')
  await root.run(`create database ${TEMPLATE}`)
  await root.close()
  const template = open(TEMPLATE)
  await migrate(template, 0)
  // Time is handed in: `postgres-backend.ts` sets it for every statement.
  await template.run(`create or replace function sluice_now() returns bigint language sql stable
    as $$ select current_setting('sluice.now')::bigint $$`)
  await template.close()
  return server
}
