import type { CollectedNote, CompletedItem, NoteKey } from '../candidate-store.ts'
import { insertSource, sourceExists } from './source-store.ts'
import { first, type Sql } from './sql.ts'

export interface Completing {
  readonly sql: Sql
  readonly executionId: string
  /** JSON. */
  readonly execMeta: string
  readonly now: number
}

export interface CompletedNotes {
  readonly items: readonly CompletedItem[]
  /** Those that were written, in their order. */
  readonly written: readonly NoteKey[]
  /** Those that were there, though their candidates were not collected until now. */
  readonly found: readonly NoteKey[]
}

/** Inside a transaction: writes each note once, and marks its candidate collected. */
export function completeNotes(
  completing: Completing,
  notes: readonly CollectedNote[],
): CompletedNotes {
  const written: NoteKey[] = []
  const found: NoteKey[] = []
  const items = notes.map((note): CompletedItem => {
    const { platform, noteId } = note
    const retryCount = collectHeld(completing, note)
    if (retryCount !== undefined && insertSource(completing, note, retryCount)) {
      written.push(note)
      return { platform, noteId, action: 'created' }
    }
    if (retryCount === undefined && !sourceExists(completing.sql, note)) {
      return { platform, noteId, action: 'not-held' }
    }
    if (retryCount !== undefined || collectWritten(completing, note)) found.push(note)
    return { platform, noteId, action: 'skipped' }
  })
  return { items, written, found }
}

const COLLECT = `update tbl_candidate set status = 'collected', processing_lock = null, locked_at = null, exec_meta = ?
  where platform = ? and note_id = ?`
const COLLECT_UNFAILED = `${COLLECT} and processing_lock = ? and retry_count = 0`
const COLLECT_HELD = `${COLLECT} and processing_lock = ? returning retry_count as retryCount`
const COLLECT_WRITTEN = `${COLLECT} and status <> 'collected'`

/** How often it has failed before; undefined where the execution does not hold it. */
function collectHeld(
  { sql, executionId, execMeta }: Completing,
  { platform, noteId }: NoteKey,
): number | undefined {
  // Nearly all have never failed, and to be given no row costs less.
  if (sql.run(COLLECT_UNFAILED, execMeta, platform, noteId, executionId) > 0) return 0
  const rows = sql.all<{ retryCount: number }>(
    COLLECT_HELD,
    execMeta,
    platform,
    noteId,
    executionId,
  )
  return first(rows)?.retryCount
}

/** A note that is there already: whoever holds its candidate need not fetch it any more. */
function collectWritten({ sql, execMeta }: Completing, { platform, noteId }: NoteKey): boolean {
  return sql.run(COLLECT_WRITTEN, execMeta, platform, noteId) > 0
}
