import {
  type FoundSource,
  foundSources,
  likePattern,
  searchedPositions,
  type SourceRecord,
  type SourceStore,
} from '../source-store.ts'
import { type Database, first, keptText, orNull, orUndefined } from './sql.ts'

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
    async search(ask) {
      const { repeatable } = database
      const newest = first(
        await repeatable.all<{ newest: number | null }>(
          'select max(position) as newest from tbl_source',
        ),
      )
      const [after, end] = searchedPositions(ask, newest?.newest ?? 0)
      const text = ask.text === undefined ? undefined : keptText(ask.text)
      const rows = await repeatable.all<FoundRow>(
        SEARCH,
        after,
        end,
        orNull(ask.platform),
        orNull(text && likePattern(text)),
        orNull(text),
        ask.limit,
      )
      const found = rows.map((row) => ({ ...row, sourceKeyword: orUndefined(row.sourceKeyword) }))
      return foundSources(found, ask, after)
    },
  }
}

type FoundRow = SourceRecord & { readonly sourceKeyword: FoundSource['sourceKeyword'] | null }

const SEARCH = `
  select ${SOURCE}, "sourceKeyword" from (
    select s.*, c.source_keyword as "sourceKeyword"
    from tbl_source s left join tbl_candidate c on c.platform = s.platform and c.note_id = s.note_id) s
  where position > $1 and position < $2 and ($3::text is null or platform = $3)
    and ($4::text is null or note->>'title' ilike $4 or "sourceKeyword" ilike $4
      or note_id = $5::text or note->'author'->>'hash' = $5::text)
  order by position desc limit $6`
