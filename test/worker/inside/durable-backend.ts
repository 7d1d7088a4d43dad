import { env, runInDurableObject } from 'cloudflare:test'
import type { Clock } from '../../../src/core/clock.ts'
import { durableSql } from '../../../src/stores/sqlite/durable-sql.ts'
import { migrate } from '../../../src/stores/sqlite/migrate.ts'
import { sqliteStores } from '../../../src/stores/sqlite/stores.ts'
import type { Stores } from '../../../src/stores/stores.ts'
import type { Backend, Handle } from '../../contracts/backend.ts'
import { countingRandom } from '../../support/counting-random.ts'

const ALONE = 'only the object itself reaches its storage'

let created = 0

/** The SQLite of a Durable Object. Every call is made inside of the object, as its own code would. */
export const durableBackend: Backend = {
  name: 'durable object',
  oneProcessOnly: ALONE,
  async create() {
    const object = env.BARE.getByName(`storage ${created++}`)
    await runInDurableObject(object, (_, { storage }) => migrate(durableSql(storage), 0))
    return {
      open: async (clock) => handleOf(object, clock),
      openProcess: () => Promise.reject(new Error(ALONE)),
      destroy: async () => {},
    }
  },
}

type BareStub = ReturnType<typeof env.BARE.getByName>

function handleOf(object: BareStub, clock: Clock): Handle {
  const random = countingRandom()
  const call = (store: string, method: string, values: unknown[]) =>
    runInDurableObject(object, (_, { storage }) => {
      const stores = sqliteStores({ sql: durableSql(storage), clock, random })
      const methods = stores[store as keyof Stores] as unknown as Record<string, Method>
      return methods[method]?.(...values)
    })
  const stores = new Proxy({} as Stores, {
    get: (_, store: string) =>
      new Proxy(
        {},
        {
          get:
            (_, method: string) =>
            (...values: unknown[]) =>
              call(store, method, values),
        },
      ),
  })
  return { stores, close: async () => {} }
}

type Method = (...values: unknown[]) => unknown
