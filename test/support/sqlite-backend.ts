import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from '../../src/stores/sqlite/migrate.ts'
import { openNodeSql } from '../../src/stores/sqlite/node-sql.ts'
import { sqliteStores } from '../../src/stores/sqlite/stores.ts'
import type { Backend } from '../contracts/backend.ts'
import { countingRandom } from './counting-random.ts'
import { openStoreProcess } from './store-process-handle.ts'

export const sqliteBackend: Backend = {
  name: 'sqlite',
  async create() {
    const folder = mkdtempSync(join(tmpdir(), 'sluice-store-'))
    const file = join(folder, 'sluice.db')
    const sql = openNodeSql(file)
    migrate(sql, 0)
    sql.close()
    return {
      async open(clock) {
        const handle = openNodeSql(file)
        return {
          stores: sqliteStores({ sql: handle, clock, random: countingRandom() }),
          close: async () => handle.close(),
        }
      },
      openProcess: (clock) => openStoreProcess(file, clock),
      destroy: async () => rmSync(folder, { recursive: true, force: true }),
    }
  },
}
