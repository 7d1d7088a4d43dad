import { env } from 'cloudflare:test'
import type { KvNamespace } from '../../../src/stores/kv/kv.ts'
import { kvStores } from '../../../src/stores/kv/stores.ts'
import type { Stores } from '../../../src/stores/stores.ts'
import type { Backend } from '../../contracts/backend.ts'
import { countingRandom } from '../../support/counting-random.ts'

const IN_WORKERD = 'the namespace is inside of workerd, and no other process reaches it'

let created = 0

/** Workers KV as workerd has it. It is one for all tests: each has keys of its own. */
export const kvBackend: Backend = {
  name: 'kv',
  oneProcessOnly: IN_WORKERD,
  async create() {
    const namespace = within(env.SLUICE_KV, `storage ${created++}/`)
    return {
      async open(clock) {
        const random = countingRandom()
        const stores = kvStores({ namespace, clock, random, tellOverrun: () => {} })
        // What is collected is not kept here, and no suite of the submit side asks for it.
        return { stores: stores as unknown as Stores, close: stores.flush }
      },
      openProcess: () => Promise.reject(new Error(IN_WORKERD)),
      destroy: async () => {},
    }
  },
}

/** The keys that begin so, as if there were no others. */
function within(all: KvNamespace, prefix: string): KvNamespace {
  const get = ((key: string, type: 'text') => all.get(prefix + key, type)) as KvNamespace['get']
  return {
    get,
    put: (key, value, options) => all.put(prefix + key, value, options),
    delete: (key) => all.delete(prefix + key),
    async list(ask) {
      const page = await all.list({ ...ask, prefix: prefix + ask.prefix })
      return { ...page, keys: page.keys.map(({ name }) => ({ name: name.slice(prefix.length) })) }
    },
  }
}
