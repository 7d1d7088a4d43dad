import { fail, ok, type Result } from '../../core/result.ts'
import type { LockLost } from '../execution-store.ts'
import type { Database } from './sql.ts'

/** Every row of an answer says whether the heartbeat is due; where nothing was asked for, all else is null. */
export interface BeatRow {
  readonly beatDue: boolean
}

/** The rows of an execution that is running, which the asking counts as a heartbeat of. */
export async function hearExecution<Row extends BeatRow>(
  database: Database,
  executionId: string,
  rows: readonly Row[],
): Promise<Result<readonly Row[], LockLost>> {
  const [one] = rows
  if (!one) return fail({ kind: 'lock-lost', executionId })
  await beatIfDue(database, { ...one, executionId })
  return ok(rows)
}

/** By itself: a statement that shares the execution's row with others and then changes it could wait for them for ever. */
export async function beatIfDue(
  database: Database,
  { beatDue, executionId }: BeatRow & { readonly executionId: string },
): Promise<void> {
  if (!beatDue) return
  // What was asked for is done and must be answered; a heartbeat that fails is due again at the next call.
  await database.repeatable
    .run(
      `update tbl_crawl_execution set heartbeat_at = sluice_now()
       where execution_id = $1 and status = 'running'`,
      executionId,
    )
    .catch(() => undefined)
}
