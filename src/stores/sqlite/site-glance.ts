import type { Json } from '../../core/json.ts'
import type { Clock } from '../../core/clock.ts'
import type { Run } from '../run-store.ts'
import type { SiteGlances } from '../site-glance.ts'
import { runOf } from './run-store.ts'
import { first, type Sql } from './sql.ts'

// One statement: each takes and gives back the database's lock, which costs as much as to look.
const GLANCE = `select settings,
  (select expires_at from lease where name = ?) as heldUntil,
  (select body from run where site_id = site.id order by started_at desc, id desc limit 1) as newest
  from site where id = ?`

interface GlanceRow {
  readonly settings: string
  readonly heldUntil: number | null
  readonly newest: string | null
}

/** A glance as it is kept: whether the lease is held changes with the time, and is not in it. */
interface Seen {
  readonly leaseName: string
  readonly settings: Json
  readonly heldUntil: number
  readonly newest: Run | undefined
}

const MOST_SITES = 1_000

/**
 * To find a site's rows and to read their JSON takes several times as long as to ask whether the database is as it was:
 * what was seen of a site stands until it is not.
 */
export function sqliteGlances(sql: Sql, clock: Clock): SiteGlances {
  const known = new Map<string, Seen>()
  let knownOf: string | undefined
  const look = async (siteId: string, leaseName: string): Promise<Seen | undefined> => {
    if (!sql.version) return read(sql, siteId, leaseName)
    // Asked before the rows are read: what is written in between is newer than its version says, never older.
    const version = await sql.version()
    if (version !== knownOf) known.clear()
    knownOf = version
    const before = known.get(siteId)
    if (before?.leaseName === leaseName) return before
    const seen = read(sql, siteId, leaseName)
    if (known.size >= MOST_SITES) known.clear()
    if (seen) known.set(siteId, seen)
    return seen
  }
  return {
    async at(siteId, leaseName) {
      const seen = await look(siteId, leaseName)
      if (!seen) return undefined
      const { settings, heldUntil, newest } = seen
      return { settings, isHeld: heldUntil > clock.now(), newest }
    },
  }
}

function read(sql: Sql, siteId: string, leaseName: string): Seen | undefined {
  const row = first(sql.all<GlanceRow>(GLANCE, leaseName, siteId))
  if (!row) return undefined
  const { settings, heldUntil, newest } = row
  return {
    leaseName,
    settings: JSON.parse(settings),
    heldUntil: heldUntil ?? 0,
    newest: newest === null ? undefined : runOf({ body: newest }),
  }
}
