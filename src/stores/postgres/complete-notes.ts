import { ok, type Result } from '../../core/result.ts'
import type { CollectedNote, CompletedItem } from '../candidate-store.ts'
import { execMetaOf } from '../exec-meta.ts'
import { HEARTBEAT_EVERY_MS, type LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { idempotencyKeyOf } from '../source-store.ts'
import { notesByRow } from '../told-notes.ts'
import { COMPLETE } from './candidate-statements.ts'
import type { DistinctNotes } from './distinct-notes.ts'
import { type BeatRow, hearExecution } from './hear-execution.ts'
import { type Database, json } from './sql.ts'

export interface CompleteAsk extends DistinctNotes<CollectedNote> {
  readonly executionId: string
  readonly notes: readonly CollectedNote[]
  readonly origin: Origin
}

export type Completed = Result<readonly CompletedItem[], LockLost>
type JudgedRow = BeatRow & { readonly place: number; readonly action: CompletedItem['action'] }

/** Rows of the outbox for these notes, each twice: as a source and as a candidate. */
export function toldNotes({ distinct, origin }: CompleteAsk) {
  return notesByRow(distinct).map((row) => ({
    notes: row,
    request_id: origin.requestId,
  }))
}

/** What is answered where all of them were held: each is created, once. */
export function createdOf({ notes, placeOf }: CompleteAsk): readonly CompletedItem[] {
  return notes.map(({ platform, noteId }, index) => ({
    platform,
    noteId,
    action: placeOf(index).isFirst ? 'created' : 'skipped',
  }))
}

/** One completion, whatever became of its notes in the meantime. */
export async function completeJudged(
  database: Database,
  { executionId, notes, origin, distinct, placeOf }: CompleteAsk,
): Promise<Completed> {
  const rows = await database.repeatable.all<JudgedRow>(
    COMPLETE,
    executionId,
    HEARTBEAT_EVERY_MS,
    json(execMetaOf(executionId, origin)),
    origin.requestId,
    json(distinct.map((one, place) => ({ place, ...noteRow(one) }))),
    distinct.length,
  )
  const completed = await hearExecution(database, executionId, rows)
  if (!completed.ok) return completed
  const actions = new Map(completed.value.map(({ place, action }) => [place, action]))
  return ok(
    notes.map(({ platform, noteId }, index) => {
      const { place, isFirst } = placeOf(index)
      const action = actions.get(place) ?? 'not-held'
      return { platform, noteId, action: action === 'created' && !isFirst ? 'skipped' : action }
    }),
  )
}

export function noteRow(one: CollectedNote) {
  return {
    platform: one.platform,
    note_id: one.noteId,
    idempotency_key: idempotencyKeyOf(one),
    note: one.note,
  }
}
