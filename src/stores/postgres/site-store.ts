import type { Json } from '../../core/json.ts'
import { fail, ok } from '../../core/result.ts'
import type { SiteRecord, SiteStore } from '../site-store.ts'
import { type Database, first, json, type Sql } from './sql.ts'

const SITE = `id, settings, created_at as "createdAt", updated_at as "updatedAt", version`

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

export function postgresSiteStore(database: Database): SiteStore {
  const get = async (sql: Sql, id: string) =>
    first(await sql.all<SiteRecord>(`select ${SITE} from site where id = $1`, id))
  return {
    async create(id, settings) {
      const made = await database.all<SiteRecord>(
        `insert into site (id, settings, created_at, updated_at, version)
         values ($1, $2, sluice_now(), sluice_now(), 1)
         on conflict do nothing returning ${SITE}`,
        id,
        json(settings),
      )
      const site = first(made)
      return site ? ok(site) : fail({ kind: 'site-exists', id })
    },
    replace: ({ id, version }, settings) =>
      database.transaction(async (sql) => {
        const site = await replaced(sql, { id, version, settings })
        if (site) return ok(site)
        return fail(
          (await get(sql, id)) ? { kind: 'site-changed', id } : { kind: 'site-missing', id },
        )
      }),
    remove: (id) =>
      database.transaction(async (sql) => {
        for (const table of OF_A_SITE) {
          await sql.run(`delete from ${table} where site_id = $1`, id)
        }
        return (await sql.run('delete from site where id = $1', id)) === 1
      }),
    get: (id) => get(database.repeatable, id),
    list: () => database.repeatable.all<SiteRecord>(`select ${SITE} from site order by id`),
  }
}

async function replaced(
  sql: Sql,
  { id, version, settings }: { id: string; version: number; settings: Json },
): Promise<SiteRecord | undefined> {
  return first(
    await sql.all<SiteRecord>(
      `update site set settings = $1, updated_at = sluice_now(), version = version + 1
       where id = $2 and version = $3 returning ${SITE}`,
      json(settings),
      id,
      version,
    ),
  )
}
