import { type SourceRecord, type SourceStore } from '../source-store.ts'
import { type Database, first } from './sql.ts'

const SOURCE = `position, platform, note_id as "noteId", idempotency_key as "idempotencyKey", note,
  created_at as "createdAt", retry_count as "retryCount", exec_meta as "execMeta"`

/**
 * Writers share this lock from before they take a position until they commit; who reads on from a position takes it
 * alone for a moment. So no position below one that was read can still appear.
 */
export const SOURCE_ORDER = `hashtextextended('sluice source order', 0)`

export function postgresSourceStore(database: Database): SourceStore {
  return {
    since: (position, limit) =>
      database.repeatable.transaction(async (sql) => {
        await sql.run(`select pg_advisory_xact_lock(${SOURCE_ORDER})`)
        return sql.all<SourceRecord>(
          `select ${SOURCE} from tbl_source where position > $1 order by position limit $2`,
          position,
          limit,
        )
      }),
    get: async ({ platform, noteId }) =>
      first(
        await database.repeatable.all<SourceRecord>(
          `select ${SOURCE} from tbl_source where platform = $1 and note_id = $2`,
          platform,
          noteId,
        ),
      ),
  }
}
