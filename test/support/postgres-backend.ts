import { systemClock } from '../../src/core/clock.ts'
import { Secret } from '../../src/core/secret.ts'
import { openPostgres } from '../../src/stores/postgres/postgres-sql.ts'
import { postgresStores } from '../../src/stores/postgres/stores.ts'
import type { Backend } from '../contracts/backend.ts'
import { createTestDatabase } from './postgres-database.ts'
import { TEMPLATE } from './postgres-for-all.ts'
import { openStoreProcess } from './store-process-handle.ts'
import { timed } from './timed-database.ts'

/** Making a database costs more than most tests: one that is done with is emptied for the next. They go with the server. */
const emptied: string[] = []

export const postgresBackend: Backend = {
  name: 'postgres',
  async create() {
    const url = emptied.pop() ?? (await createTestDatabase(TEMPLATE)).url
    return {
      async open(clock) {
        const database = openPostgres({ url: new Secret(url), clock: systemClock })
        return {
          stores: postgresStores(timed(database, clock)),
          close: () => database.close(),
        }
      },
      openProcess: (clock) => openStoreProcess(url, clock),
      async destroy() {
        await empty(url)
        emptied.push(url)
      },
    }
  },
}

async function empty(url: string): Promise<void> {
  const database = openPostgres({ url: new Secret(url), clock: systemClock, connections: 1 })
  // A process that was killed may not have been missed yet.
  await database.run(`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`)
  await database.run(`do $$ declare name text; begin
    for name in select quote_ident(tablename) from pg_tables
      where schemaname = 'public' and tablename <> 'schema_migration'
    loop execute 'delete from ' || name; end loop;
    perform setval(sequencename::regclass, 1, false) from pg_sequences where schemaname = 'public';
  end $$`)
  await database.close()
}
