import { type SourceRecord, type SourceStore } from '../source-store.ts'
import { type Database, first } from './sql.ts'

const SOURCE = `position, platform, note_id as "noteId", idempotency_key as "idempotencyKey", note,
  created_at as "createdAt", retry_count as "retryCount", exec_meta as "execMeta"`

/** Of `s`: what the mirror is told of it. */
export const SOURCE_FIELDS = `s.note || jsonb_build_object('platform', s.platform, 'note_id', s.note_id,
    'idempotency_key', s.idempotency_key, 'processing_lock', s.processing_lock, 'locked_at', s.locked_at,
    'retry_count', s.retry_count, 'last_error_code', s.last_error_code, 'exec_meta', s.exec_meta,
    'created_at', s.created_at)`

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
