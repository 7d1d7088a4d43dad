import { noteKeyOf } from '../candidate-key.ts'
import type { MirroredTable, OutboxEntry } from '../outbox-store.ts'
import { idempotencyKeyOf } from '../source-store.ts'
import { candidateFields } from './candidate-row.ts'
import { sourceFields } from './source-store.ts'
import type { Sql } from './sql.ts'

/** One entry, or without a table those of several notes. */
export interface OutboxRow {
  readonly id: number
  readonly table: MirroredTable | null
  readonly key: string | null
  readonly fields: string | null
  /** JSON: the names of the notes, or of the one whose row has the fields. */
  readonly notes: string | null
  readonly clientToken: string
  readonly requestId: string
  readonly createdAt: number
}

export const OUTBOX_ROW = `id, table_name as "table", key, fields, notes, client_token as clientToken,
  request_id as requestId, created_at as createdAt`

/** An entry whose fields are still to be read: from their text, or with the note. */
export interface UnreadEntry {
  readonly id: number
  readonly table: MirroredTable
  readonly key: string
  readonly fields: string
  readonly note: string | undefined
  readonly clientToken: string
  readonly requestId: string
  readonly createdAt: number
}

/** In place of the fields of a row that never changes again, as a note that was completed and its candidate. */
const READ_WITH_ROW = ''

/** In order. Of several each has the row's token but for the first two digits, which are its number. */
export function entriesOf(row: OutboxRow): readonly UnreadEntry[] {
  const { table, key, fields, clientToken } = row
  const notes: readonly string[] = row.notes === null ? [] : JSON.parse(row.notes)
  if (table !== null)
    return [{ ...row, table, key: key ?? '', fields: fields ?? '', note: notes[0] }]
  const firstId = row.id - notes.length * 2 + 1
  return notes
    .flatMap((note) => [
      { table: 'tbl_source', key: idempotencyKeyOf(noteKeyOf(note)), note } as const,
      { table: 'tbl_candidate', key: note, note } as const,
    ])
    .map((told, number) => ({
      ...told,
      id: firstId + number,
      fields: READ_WITH_ROW,
      clientToken: `${number.toString(16).padStart(2, '0')}${clientToken.slice(2)}`,
      requestId: row.requestId,
      createdAt: row.createdAt,
    }))
}

export function readEntry(sql: Sql, entry: UnreadEntry): OutboxEntry {
  const { id, table, key, clientToken, requestId, createdAt } = entry
  const fields = fieldsOf(sql, entry)
  if (!fields) throw new Error(`the outbox's entry ${id} is of a row that is not there`)
  return { id, table, op: 'upsert', key, fields, clientToken, requestId, createdAt }
}

function fieldsOf(
  sql: Sql,
  { table, fields, note }: UnreadEntry,
): OutboxEntry['fields'] | undefined {
  if (note === undefined) return JSON.parse(fields)
  return (table === 'tbl_source' ? sourceFields : candidateFields)(sql, noteKeyOf(note))
}
