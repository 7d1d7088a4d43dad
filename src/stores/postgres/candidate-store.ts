import { seconds } from '../../core/duration.ts'
import type { JsonObject } from '../../core/json.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import {
  MAX_ATTEMPTS,
  type Candidate,
  type CandidateStatus,
  type CandidateStore,
  type CompletedItem,
  type FailedItem,
  type NoteKey,
} from '../candidate-store.ts'
import type { LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { idempotencyKeyOf } from '../source-store.ts'
import { CANDIDATE, candidateOf, type CandidateRow } from './candidate-row.ts'
import { ADD, CLAIM, CLAIM_THESE, COMPLETE, FAIL } from './candidate-statements.ts'
import { sweep } from './recover.ts'
import { type Database, first, json, orNull } from './sql.ts'

/** A heartbeat costs as much as the work it comes with, so it is written by time and not by call. */
const HEARTBEAT_EVERY_MS = seconds(5)

/** Every row of an answer says whether the heartbeat is due; where nothing was asked for, all else is null. */
interface BeatRow {
  readonly beatDue: boolean
}
type ClaimRow = BeatRow & (CandidateRow | { readonly noteId: null })
type CompleteRow = BeatRow & { readonly place: number; readonly action: CompletedItem['action'] }
type FailRow = BeatRow & { readonly place: number; readonly status: FailedItem['status'] }

function claimedOf(
  claimed: Result<readonly ClaimRow[], LockLost>,
): Result<readonly Candidate[], LockLost> {
  if (!claimed.ok) return claimed
  return ok(claimed.value.flatMap((row) => (row.noteId === null ? [] : [candidateOf(row)])))
}

export function postgresCandidateStore(database: Database): CandidateStore {
  /** The rows of an execution that is running, which the asking counts as a heartbeat of. */
  const heard = async <Row extends BeatRow>(
    executionId: string,
    rows: readonly Row[],
  ): Promise<Result<readonly Row[], LockLost>> => {
    const [one] = rows
    if (!one) return fail({ kind: 'lock-lost', executionId })
    // By itself: a statement that shares the execution's row with others and then changes it could wait for them for ever.
    if (one.beatDue) {
      await database.repeatable.run(
        `update tbl_crawl_execution set heartbeat_at = sluice_now()
         where execution_id = $1 and status = 'running'`,
        executionId,
      )
    }
    return ok(rows)
  }
  return {
    async add(candidates, { requestId }) {
      const rows = candidates.map(({ platform, noteId, noteUrl, sourceKeyword }, place) => ({
        place,
        platform,
        note_id: noteId,
        note_url: noteUrl,
        source_keyword: sourceKeyword,
      }))
      const execMeta = json({ request_id: requestId })
      const [counted] = await database.all<{ created: number }>(
        ADD,
        requestId,
        execMeta,
        json(rows),
      )
      const created = counted?.created ?? 0
      return { created, skipped: candidates.length - created }
    },
    async claim(executionId, batchSize, origin) {
      const rows = await database.all<ClaimRow>(
        CLAIM,
        executionId,
        HEARTBEAT_EVERY_MS,
        batchSize,
        json(execMetaOf(executionId, origin)),
      )
      return claimedOf(await heard(executionId, rows))
    },
    async claimThese(executionId, keys, origin) {
      const { distinct } = distinctOf(keys)
      const rows = await database.all<ClaimRow>(
        CLAIM_THESE,
        executionId,
        HEARTBEAT_EVERY_MS,
        json(distinct.map(({ platform, noteId }, place) => ({ place, platform, note_id: noteId }))),
        json(execMetaOf(executionId, origin)),
        distinct.length,
      )
      return claimedOf(await heard(executionId, rows))
    },
    async complete(executionId, notes, origin) {
      const { distinct, placeOf } = distinctOf(notes)
      const rows = await database.repeatable.all<CompleteRow>(
        COMPLETE,
        executionId,
        HEARTBEAT_EVERY_MS,
        json(execMetaOf(executionId, origin)),
        origin.requestId,
        json(
          distinct.map((one, place) => ({
            place,
            platform: one.platform,
            note_id: one.noteId,
            idempotency_key: idempotencyKeyOf(one),
            note: one.note,
          })),
        ),
        distinct.length,
      )
      const completed = await heard(executionId, rows)
      if (!completed.ok) return completed
      const actions = new Map(completed.value.map(({ place, action }) => [place, action]))
      return ok(
        notes.map(({ platform, noteId }, index) => {
          const { place, isFirst } = placeOf(index)
          const action = actions.get(place) ?? 'not-held'
          return {
            platform,
            noteId,
            action: action === 'created' && !isFirst ? 'skipped' : action,
          }
        }),
      )
    },
    async fail(executionId, items, origin) {
      const { distinct, placeOf } = distinctOf(items)
      const rows = await database.all<FailRow>(
        FAIL,
        executionId,
        HEARTBEAT_EVERY_MS,
        json(execMetaOf(executionId, origin)),
        origin.requestId,
        json(
          distinct.map(({ platform, noteId, errorCode }, place) => ({
            place,
            platform,
            note_id: noteId,
            error_code: errorCode,
          })),
        ),
        distinct.length,
        MAX_ATTEMPTS,
      )
      const failed = await heard(executionId, rows)
      if (!failed.ok) return failed
      const states = new Map(failed.value.map(({ place, status }) => [place, status]))
      return ok(
        items.map(({ platform, noteId }, index) => {
          const { place, isFirst } = placeOf(index)
          return { platform, noteId, status: (isFirst && states.get(place)) || 'not-held' }
        }),
      )
    },
    recover: (timeoutMs, origin) => database.transaction((sql) => sweep(sql, timeoutMs, origin)),
    list: async (status, limit, after) =>
      (
        await database.repeatable.all<CandidateRow>(
          `select ${CANDIDATE} from tbl_candidate c where ($1::text is null or c.status = $1)
             and ($3::text is null or c.position > (
               select position from tbl_candidate where platform = $3 and note_id = $4::text))
           order by c.position limit $2`,
          orNull(status),
          limit,
          orNull(after?.platform),
          orNull(after?.noteId),
        )
      ).map(candidateOf),
    async count() {
      const rows = await database.repeatable.all<{ status: CandidateStatus; count: number }>(
        'select status, count(*) as count from tbl_candidate group by status',
      )
      const of = (status: CandidateStatus) =>
        first(rows.filter((row) => row.status === status))?.count ?? 0
      return {
        pending: of('pending'),
        processing: of('processing'),
        collected: of('collected'),
        failed: of('failed'),
      }
    },
  }
}

/** Each note once, as one statement wants them; what is named again is answered by its first. */
function distinctOf<Item extends NoteKey>(items: readonly Item[]) {
  const places = new Map<string, number>()
  const distinct: Item[] = []
  const answers = items.map((item) => {
    const key = JSON.stringify([item.platform, item.noteId])
    const known = places.get(key)
    if (known !== undefined) return { place: known, isFirst: false }
    places.set(key, distinct.length)
    return { place: distinct.push(item) - 1, isFirst: true }
  })
  return { distinct, placeOf: (index: number) => answers[index] ?? { place: -1, isFirst: true } }
}

function execMetaOf(executionId: string, { requestId }: Origin): JsonObject {
  return { execution_id: executionId, request_id: requestId }
}
