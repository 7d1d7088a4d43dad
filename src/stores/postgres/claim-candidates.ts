import { ok, type Result } from '../../core/result.ts'
import type { Candidate } from '../candidate-store.ts'
import type { LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { candidateOf, type CandidateRow } from './candidate-row.ts'
import { CLAIM } from './candidate-statements.ts'
import { execMetaOf } from '../exec-meta.ts'
import { undoneBy } from './failure.ts'
import { groupCalls } from './group-calls.ts'
import { type BeatRow, hearExecution, HEARTBEAT_EVERY_MS } from './hear-execution.ts'
import { type Database, json } from './sql.ts'

export interface ClaimAsk {
  readonly executionId: string
  readonly batchSize: number
  readonly origin: Origin
}

type Claimed = Result<readonly Candidate[], LockLost>
export type ClaimRow = BeatRow & (CandidateRow | { readonly noteId: null })
type AskedRow = ClaimRow & { readonly ask: number }

/** Claims of one server that come at the same time are one statement. */
export function claimCandidates(database: Database): (ask: ClaimAsk) => Promise<Claimed> {
  const together = async (asks: readonly ClaimAsk[]) => {
    const rows = await database.all<AskedRow>(
      CLAIM,
      HEARTBEAT_EVERY_MS,
      json(
        asks.map(({ executionId, batchSize, origin }, ask) => ({
          ask,
          execution_id: executionId,
          batch_size: batchSize,
          exec_meta: execMetaOf(executionId, origin),
        })),
      ),
    )
    const rowsOf = Map.groupBy(rows, ({ ask }) => ask)
    return Promise.all(
      asks.map(async ({ executionId }, ask) =>
        claimedOf(await hearExecution(database, executionId, rowsOf.get(ask) ?? [])),
      ),
    )
  }
  return groupCalls({
    together,
    async alone(ask, refused) {
      // Where nobody knows whether it was done, doing it again would claim more.
      if (undoneBy(refused) !== 'refused') throw refused
      const [claimed] = await together([ask])
      if (!claimed) throw refused
      return claimed
    },
  })
}

export function claimedOf(claimed: Result<readonly ClaimRow[], LockLost>): Claimed {
  if (!claimed.ok) return claimed
  return ok(claimed.value.flatMap((row) => (row.noteId === null ? [] : [candidateOf(row)])))
}
