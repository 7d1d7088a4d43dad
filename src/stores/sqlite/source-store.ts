import type { JsonObject } from '../../core/json.ts'
import type { NoteKey } from '../candidate-store.ts'
import {
  foundSources,
  idempotencyKeyOf,
  likePattern,
  searchedPositions,
  type SourceRecord,
  type SourceSearch,
  type SourceStore,
} from '../source-store.ts'
import type { MirroredRow } from './outbox-store.ts'
import { first, orNull, orUndefined, type Sql } from './sql.ts'

type SourceRow = Omit<SourceRecord, 'note' | 'execMeta'> & {
  readonly note: string
  readonly execMeta: string
}
type FoundRow = SourceRow & { readonly sourceKeyword: string | null }

const SOURCE = `position, platform, note_id as noteId, idempotency_key as idempotencyKey, note,
  created_at as createdAt, retry_count as retryCount, exec_meta as execMeta`

export function sqliteSourceStore(sql: Sql): SourceStore {
  const recordOf = (row: SourceRow): SourceRecord => ({
    ...row,
    note: JSON.parse(row.note),
    execMeta: JSON.parse(row.execMeta),
  })
  return {
    since: async (position, limit) =>
      sql
        .all<SourceRow>(
          `select ${SOURCE} from tbl_source where position > ? order by position limit ?`,
          position,
          limit,
        )
        .map(recordOf),
    get: async ({ platform, noteId }) => {
      const row = first(
        sql.all<SourceRow>(
          `select ${SOURCE} from tbl_source where platform = ? and note_id = ?`,
          platform,
          noteId,
        ),
      )
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
     order by position desc limit ?`,
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

export function sourceExists(sql: Sql, { platform, noteId }: NoteKey): boolean {
  return (
    sql.all('select 1 from tbl_source where platform = ? and note_id = ?', platform, noteId)
      .length > 0
  )
}

interface NewSource extends NoteKey {
  readonly note: JsonObject
  readonly execMeta: JsonObject
  readonly retryCount: number
  readonly now: number
}

/** Inside a transaction: writes the note unless it is there, and tells what is new for the mirror. */
export function insertSource(sql: Sql, source: NewSource): MirroredRow[] {
  const { platform, noteId, note, execMeta, retryCount, now } = source
  const idempotencyKey = idempotencyKeyOf(source)
  const written = sql.run(
    `insert into tbl_source (platform, note_id, idempotency_key, note, retry_count, exec_meta, created_at)
     values (?, ?, ?, ?, ?, ?, ?) on conflict (platform, note_id) do nothing`,
    platform,
    noteId,
    idempotencyKey,
    JSON.stringify(note),
    retryCount,
    JSON.stringify(execMeta),
    now,
  )
  if (written === 0) return []
  const fields = {
    ...note,
    platform,
    note_id: noteId,
    idempotency_key: idempotencyKey,
    retry_count: retryCount,
    exec_meta: execMeta,
    created_at: now,
  }
  return [{ table: 'tbl_source', key: idempotencyKey, fields }]
}
