import type { JsonObject } from '../../core/json.ts'
import type { CollectedNote, NoteKey } from '../candidate-store.ts'
import {
  foundSources,
  idempotencyKeyOf,
  likePattern,
  searchedPositions,
  type SourceRecord,
  type SourceSearch,
  type SourceStore,
} from '../source-store.ts'
import { first, LIMIT, orNull, orUndefined, type Sql } from './sql.ts'

type SourceRow = Omit<SourceRecord, 'note' | 'execMeta'> & {
  readonly note: string
  readonly execMeta: string
}
type FoundRow = SourceRow & { readonly sourceKeyword: string | null }

const SOURCE = `position, platform, note_id as noteId, idempotency_key as idempotencyKey, note,
  created_at as createdAt, retry_count as retryCount, exec_meta as execMeta`

export function sqliteSourceStore(sql: Sql): SourceStore {
  return {
    since: async (position, limit) =>
      sql
        .all<SourceRow>(
          `select ${SOURCE} from tbl_source where position > ? order by position ${LIMIT}`,
          position,
          limit,
        )
        .map(recordOf),
    get: async (key) => {
      const row = sourceOf(sql, key)
      return row && recordOf(row)
    },
    async search(ask) {
      const newest = first(
        sql.all<{ newest: number | null }>('select max(position) as newest from tbl_source'),
      )
      const [after, end] = searchedPositions(ask, newest?.newest ?? 0)
      const found = searchBetween(sql, ask, after, end).map((row) => ({
        ...recordOf(row),
        sourceKeyword: orUndefined(row.sourceKeyword),
      }))
      return foundSources(found, ask, after)
    },
  }
}

function searchBetween(
  sql: Sql,
  { text, platform, limit }: SourceSearch,
  after: number,
  end: number,
): FoundRow[] {
  const part = orNull(text && likePattern(text))
  const whole = orNull(text)
  return sql.all<FoundRow>(
    `select ${SOURCE}, sourceKeyword from (
       select s.*, c.source_keyword as sourceKeyword
       from tbl_source s left join tbl_candidate c on c.platform = s.platform and c.note_id = s.note_id)
     where position > ? and position < ? and (? is null or platform = ?)
       and (? is null or json_extract(note, '$.title') like ? escape '\\' or sourceKeyword like ? escape '\\'
         or note_id = ? or json_extract(note, '$.author.hash') = ?)
     order by position desc ${LIMIT}`,
    after,
    end,
    orNull(platform),
    orNull(platform),
    part,
    part,
    part,
    whole,
    whole,
    limit,
  )
}

function sourceOf(sql: Sql, { platform, noteId }: NoteKey): SourceRow | undefined {
  return first(
    sql.all<SourceRow>(
      `select ${SOURCE} from tbl_source where platform = ? and note_id = ?`,
      platform,
      noteId,
    ),
  )
}

function recordOf(row: SourceRow): SourceRecord {
  return { ...row, note: JSON.parse(row.note), execMeta: JSON.parse(row.execMeta) }
}

export function sourceExists(sql: Sql, { platform, noteId }: NoteKey): boolean {
  return (
    sql.all('select 1 from tbl_source where platform = ? and note_id = ?', platform, noteId)
      .length > 0
  )
}

/** On whose behalf notes are written. */
interface Writing {
  readonly sql: Sql
  /** JSON. */
  readonly execMeta: string
  readonly now: number
}

const INSERT = `
  insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
  values (?, ?, ?, ?, ?, ?, ?) on conflict (platform, note_id) do nothing`

/** Inside a transaction: writes the note unless it is there, and tells whether it did. */
export function insertSource(
  { sql, execMeta, now }: Writing,
  note: CollectedNote,
  retryCount: number,
): boolean {
  const { platform, noteId } = note
  const key = idempotencyKeyOf(note)
  const body = JSON.stringify(note.note)
  return sql.run(INSERT, platform, noteId, key, body, retryCount, execMeta, now) > 0
}

/** What the mirror is told of a source record. */
export function sourceFields(sql: Sql, key: NoteKey): JsonObject | undefined {
  const row = sourceOf(sql, key)
  if (!row) return undefined
  const { note, platform, noteId, idempotencyKey, retryCount, execMeta, createdAt } = recordOf(row)
  return {
    ...note,
    platform,
    note_id: noteId,
    idempotency_key: idempotencyKey,
    // A record is written whole and once: nobody holds it, and it does not fail.
    processing_lock: null,
    locked_at: null,
    retry_count: retryCount,
    last_error_code: null,
    exec_meta: execMeta,
    created_at: createdAt,
  }
}
