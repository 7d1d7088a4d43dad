import { ok, type Result } from '../../core/result.ts'
import type { CollectedNote, CompletedItem } from '../candidate-store.ts'
import type { LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { idempotencyKeyOf } from '../source-store.ts'
import { COMPLETE, COMPLETE_HELD } from './candidate-statements.ts'
import { distinctNotes } from './distinct-notes.ts'
import { execMetaOf } from '../exec-meta.ts'
import { undoneBy } from './failure.ts'
import { groupCalls } from './group-calls.ts'
import { type BeatRow, hearExecution, HEARTBEAT_EVERY_MS } from './hear-execution.ts'
import { NOTES_PER_OUTBOX_ROW } from './outbox-store.ts'
import { type Database, json, textArray } from './sql.ts'

export interface CompleteAsk {
  readonly executionId: string
  readonly notes: readonly CollectedNote[]
  readonly origin: Origin
}

type Completed = Result<readonly CompletedItem[], LockLost>
type HeldRow = BeatRow & { readonly executionId: string }
type JudgedRow = BeatRow & { readonly place: number; readonly action: CompletedItem['action'] }

/** Completions of one server that come at the same time are one statement, unless one of them is out of the ordinary. */
export function completeNotes(database: Database): (ask: CompleteAsk) => Promise<Completed> {
  return groupCalls({
    together: (asks) => completeHeld(database, asks),
    async alone(ask, refused) {
      if (undoneBy(refused) !== 'refused') throw refused
      return completeJudged(database, ask)
    },
  })
}

async function completeHeld(
  database: Database,
  asks: readonly CompleteAsk[],
): Promise<readonly Completed[]> {
  const executionIds = [...new Set(asks.map(({ executionId }) => executionId))]
  const wanted = asks.map((ask) => ({ ...ask, ...distinctNotes(ask.notes) }))
  const notes = wanted.flatMap(({ executionId, origin, distinct }) =>
    distinct.map((one, place) => ({
      one,
      startsBlock: place % NOTES_PER_OUTBOX_ROW === 0,
      execution_id: executionId,
      request_id: origin.requestId,
      exec_meta: execMetaOf(executionId, origin),
    })),
  )
  let block = 0
  const rows = await database.repeatable.all<HeldRow>(
    COMPLETE_HELD,
    HEARTBEAT_EVERY_MS,
    textArray(executionIds),
    executionIds.length,
    json(
      notes.map(({ one, startsBlock, ...asked }, place) => {
        if (startsBlock) block++
        return { block, ...asked, ...noteRow(one, place) }
      }),
    ),
    notes.length,
  )
  return Promise.all(
    wanted.map(async ({ executionId, notes: asked, placeOf }): Promise<Completed> => {
      const own = rows.filter((row) => row.executionId === executionId)
      const heard = await hearExecution(database, executionId, own)
      if (!heard.ok) return heard
      return ok(
        asked.map(({ platform, noteId }, index) => ({
          platform,
          noteId,
          action: placeOf(index).isFirst ? 'created' : 'skipped',
        })),
      )
    }),
  )
}

async function completeJudged(
  database: Database,
  { executionId, notes, origin }: CompleteAsk,
): Promise<Completed> {
  const { distinct, placeOf } = distinctNotes(notes)
  const rows = await database.repeatable.all<JudgedRow>(
    COMPLETE,
    executionId,
    HEARTBEAT_EVERY_MS,
    json(execMetaOf(executionId, origin)),
    origin.requestId,
    json(distinct.map(noteRow)),
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

function noteRow(one: CollectedNote, place: number) {
  return {
    place,
    platform: one.platform,
    note_id: one.noteId,
    idempotency_key: idempotencyKeyOf(one),
    note: one.note,
  }
}
