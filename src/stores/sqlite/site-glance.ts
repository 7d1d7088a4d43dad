import type { Clock } from '../../core/clock.ts'
import type { SiteGlances } from '../site-glance.ts'
import { runOf } from './run-store.ts'
import { first, type Sql } from './sql.ts'

// One statement: each takes and gives back the database's lock, which costs as much as to look.
const GLANCE = `select settings,
  exists(select 1 from lease where name = ? and expires_at > ?) as isHeld,
  (select body from run where site_id = site.id order by started_at desc, id desc limit 1) as newest
  from site where id = ?`

interface GlanceRow {
  readonly settings: string
  readonly isHeld: number
  readonly newest: string | null
}

export function sqliteGlances(sql: Sql, clock: Clock): SiteGlances {
  return {
    async at(siteId, leaseName) {
      const row = first(sql.all<GlanceRow>(GLANCE, leaseName, clock.now(), siteId))
      if (!row) return undefined
      const { settings, isHeld, newest } = row
      return {
        settings: JSON.parse(settings),
        isHeld: isHeld === 1,
        newest: newest === null ? undefined : runOf({ body: newest }),
      }
    },
  }
}
