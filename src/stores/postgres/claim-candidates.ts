import { ok, type Result } from '../../core/result.ts'
import type { Candidate } from '../candidate-store.ts'
import { execMetaOf } from '../exec-meta.ts'
import type { LockLost } from '../execution-store.ts'
import type { Origin } from '../outbox-store.ts'
import { candidateOf, type CandidateRow } from './candidate-row.ts'
import { CLAIM } from './candidate-statements.ts'
import { undoneBy } from './failure.ts'
import { groupCalls } from './group-calls.ts'
import { type BeatRow, hearExecution, HEARTBEAT_EVERY_MS } from './hear-execution.ts'
import { type Database, json, textArray } from './sql.ts'

export interface Claimant {
  readonly executionId: string
  readonly origin: Origin
}

export interface ClaimAsk extends Claimant {
  readonly batchSize: number
}

type Claimed = Result<readonly Candidate[], LockLost>
type ClaimedRow = Omit<CandidateRow, 'status' | 'processingLock' | 'execMeta'>
export type ClaimRow = BeatRow & (ClaimedRow | { readonly noteId: null })
type AskedRow = ClaimRow & { readonly executionId: string; readonly ask: number | null }

/** Claims of one server that come at the same time are one statement. */
export function claimCandidates(database: Database): (ask: ClaimAsk) => Promise<Claimed> {
  return groupCalls({
    together: (asks) => claimTogether(database, asks),
    async alone(ask, refused) {
      // Where nobody knows whether it was done, doing it again would claim more.
      if (undoneBy(refused) !== 'refused') throw refused
      const [claimed] = await claimTogether(database, [ask])
      if (!claimed) throw refused
      return claimed
    },
  })
}

async function claimTogether(
  database: Database,
  asks: readonly ClaimAsk[],
): Promise<readonly Claimed[]> {
  const executionIds = [...new Set(asks.map(({ executionId }) => executionId))]
  const asked = asks.flatMap(({ batchSize }, ask) => Array.from({ length: batchSize }, () => ask))
  const rows = await database.all<AskedRow>(
    CLAIM,
    HEARTBEAT_EVERY_MS,
    textArray(executionIds),
    executionIds.length,
    asked.length,
    json(
      asks.map(({ executionId, origin }) => ({
        execution_id: executionId,
        exec_meta: execMetaOf(executionId, origin),
      })),
    ),
    `{${asked.join()}}`,
  )
  const rowsOf = Map.groupBy(rows, ({ executionId }) => executionId)
  if (rowsOf.size < executionIds.length && asks.length > 1) {
    throw new Error('not all of the executions are running')
  }
  return Promise.all(
    asks.map(async (one, ask) => {
      const heard = await hearExecution(
        database,
        one.executionId,
        rowsOf.get(one.executionId) ?? [],
      )
      return heard.ok ? claimedOf(ok(heard.value.filter((row) => row.ask === ask)), one) : heard
    }),
  )
}

export function claimedOf(
  claimed: Result<readonly ClaimRow[], LockLost>,
  { executionId, origin }: Claimant,
): Claimed {
  if (!claimed.ok) return claimed
  const status = 'processing'
  const execMeta = execMetaOf(executionId, origin)
  return ok(
    claimed.value.flatMap((row) =>
      row.noteId === null
        ? []
        : [candidateOf({ ...row, status, processingLock: executionId, execMeta })],
    ),
  )
}
