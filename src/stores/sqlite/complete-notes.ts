import type { JsonObject } from '../../core/json.ts'
import type { CollectedNote, CompletedItem, NoteKey } from '../candidate-store.ts'
import { candidateKeyOf } from './candidate-row.ts'
import type { MirroredRow } from './mirror.ts'
import { insertSource, sourceExists } from './source-store.ts'
import { first, type Sql } from './sql.ts'

export interface Completing {
  readonly sql: Sql
  readonly executionId: string
  readonly execMeta: JsonObject
  readonly now: number
}

export interface CompletedNotes {
  readonly items: readonly CompletedItem[]
  /** What is new for the mirror, in the order of the notes. */
  readonly changes: readonly MirroredRow[]
}

/** Inside a transaction: writes each note once, and marks its candidate collected. */
export function completeNotes(
  completing: Completing,
  notes: readonly CollectedNote[],
): CompletedNotes {
  const changes: MirroredRow[] = []
  const execMeta = JSON.stringify(completing.execMeta)
  const items = notes.map((note): CompletedItem => {
    const { platform, noteId } = note
    const collected =
      collectHeld(completing, note, execMeta) ?? collectWritten(completing, note, execMeta)
    if (!collected) return { platform, noteId, action: 'not-held' }
    const { retryCount, isChanged } = collected
    const source = insertSource(completing.sql, { note, execMeta, retryCount, now: completing.now })
    if (source) changes.push(source)
    if (isChanged) changes.push({ table: 'tbl_candidate', key: candidateKeyOf(note) })
    return { platform, noteId, action: source ? 'created' : 'skipped' }
  })
  return { items, changes }
}

interface Collected {
  readonly retryCount: number
  /** False where it was collected before. */
  readonly isChanged: boolean
}

const COLLECT_HELD = `
  update tbl_candidate set status = 'collected', processing_lock = null, locked_at = null, exec_meta = ?
  where platform = ? and note_id = ? and processing_lock = ? returning retry_count as retryCount`

function collectHeld(
  { sql, executionId }: Completing,
  { platform, noteId }: NoteKey,
  execMeta: string,
): Collected | undefined {
  const row = first(
    sql.all<{ retryCount: number }>(COLLECT_HELD, execMeta, platform, noteId, executionId),
  )
  return row && { retryCount: row.retryCount, isChanged: true }
}

const COLLECT_WRITTEN = `
  update tbl_candidate set status = 'collected', processing_lock = null, locked_at = null, exec_meta = ?
  where platform = ? and note_id = ? and status <> 'collected'`

/** A note that is there already: whoever holds its candidate need not fetch it any more. */
function collectWritten(
  { sql }: Completing,
  key: NoteKey,
  execMeta: string,
): Collected | undefined {
  if (!sourceExists(sql, key)) return undefined
  const changed = sql.run(COLLECT_WRITTEN, execMeta, key.platform, key.noteId)
  return { retryCount: 0, isChanged: changed > 0 }
}
