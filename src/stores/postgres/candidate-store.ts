import { ok } from '../../core/result.ts'
import {
  MAX_ATTEMPTS,
  type CandidateStatus,
  type CandidateStore,
  type FailedItem,
} from '../candidate-store.ts'
import { CANDIDATE, candidateOf, type CandidateRow } from './candidate-row.ts'
import { ADD, CLAIM_THESE, FAIL } from './candidate-statements.ts'
import { type ClaimedRow, claimedOf } from './claim-candidates.ts'
import { completeAndClaim } from './complete-and-claim.ts'
import { distinctNotes } from './distinct-notes.ts'
import { execMetaOf } from '../exec-meta.ts'
import { HEARTBEAT_EVERY_MS } from '../execution-store.ts'
import { type BeatRow, hearExecution } from './hear-execution.ts'
import { sweep } from './recover.ts'
import { type Database, first, json, orNull } from './sql.ts'

type TheseRow = BeatRow & (ClaimedRow | { readonly noteId: null })
type FailRow = BeatRow & { readonly place: number; readonly status: FailedItem['status'] }

export function postgresCandidateStore(database: Database): CandidateStore {
  const { claim, complete } = completeAndClaim(database)
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
    claim: (executionId, batchSize, origin) => claim({ executionId, batchSize, origin }),
    async claimThese(executionId, keys, origin) {
      const { distinct } = distinctNotes(keys)
      const rows = await database.all<TheseRow>(
        CLAIM_THESE,
        executionId,
        HEARTBEAT_EVERY_MS,
        json(distinct.map(({ platform, noteId }, place) => ({ place, platform, note_id: noteId }))),
        json(execMetaOf(executionId, origin)),
        distinct.length,
      )
      const heard = await hearExecution(database, executionId, rows)
      if (!heard.ok) return heard
      const claimed = heard.value.flatMap((row) => (row.noteId === null ? [] : [row]))
      return ok(claimedOf(claimed, { executionId, origin }))
    },
    complete: (executionId, notes, origin) =>
      complete({ executionId, notes, origin, ...distinctNotes(notes) }),
    async fail(executionId, items, origin) {
      const { distinct, placeOf } = distinctNotes(items)
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
      const failed = await hearExecution(database, executionId, rows)
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
