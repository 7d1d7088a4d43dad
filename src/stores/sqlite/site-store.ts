import type { Clock } from '../../core/clock.ts'
import { fail, ok } from '../../core/result.ts'
import type { SiteRecord, SiteStore } from '../site-store.ts'
import { first, type Sql } from './sql.ts'

type SiteRow = Omit<SiteRecord, 'settings'> & { readonly settings: string }

const SITE = 'id, settings, created_at as createdAt, updated_at as updatedAt, version'

/** What is forgotten with a site. Not its quota: a site removed and added again has spent what it has spent. */
const OF_A_SITE = [
  'ledger_fence',
  'ledger_engine',
  'ledger_shard',
  'ledger_outcome',
  'ledger_sitemap',
  'ledger_url_chunk',
  'run',
  'daily_total',
]

export function sqliteSiteStore(sql: Sql, clock: Clock): SiteStore {
  const recordOf = (row: SiteRow): SiteRecord => ({ ...row, settings: JSON.parse(row.settings) })
  const get = (id: string) => {
    const row = first(sql.all<SiteRow>(`select ${SITE} from site where id = ?`, id))
    return row && recordOf(row)
  }
  return {
    async create(id, settings) {
      const now = clock.now()
      const made = sql.all<SiteRow>(
        `insert into site (id, settings, created_at, updated_at, version) values (?, ?, ?, ?, 1)
         on conflict do nothing returning ${SITE}`,
        id,
        JSON.stringify(settings),
        now,
        now,
      )
      const row = first(made)
      return row ? ok(recordOf(row)) : fail({ kind: 'site-exists', id })
    },
    replace: async ({ id, version }, settings) =>
      sql.transaction(() => {
        const row = first(
          sql.all<SiteRow>(
            `update site set settings = ?, updated_at = ?, version = version + 1
             where id = ? and version = ? returning ${SITE}`,
            JSON.stringify(settings),
            clock.now(),
            id,
            version,
          ),
        )
        if (row) return ok(recordOf(row))
        return fail(get(id) ? { kind: 'site-changed', id } : { kind: 'site-missing', id })
      }),
    remove: async (id) =>
      sql.transaction(() => {
        for (const table of OF_A_SITE) sql.run(`delete from ${table} where site_id = ?`, id)
        return sql.run('delete from site where id = ?', id) === 1
      }),
    get: async (id) => get(id),
    list: async () => sql.all<SiteRow>(`select ${SITE} from site order by id`).map(recordOf),
  }
}
