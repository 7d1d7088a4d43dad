import { fail, ok } from '../../core/result.ts'
import {
  type Execution,
  type ExecutionAsk,
  type ExecutionStore,
  type ExecutionTaken,
  type ExecutionTotals,
  firstMomentOf,
  totalsByDay,
} from '../execution-store.ts'
import { endExecutions } from './end-executions.ts'
import { EXECUTION, executionOf, type ExecutionRow } from './execution-row.ts'
import { mirroredExecutions } from '../mirrored-execution.ts'
import { mirror } from './outbox-store.ts'
import { releaseCandidates, sweep } from './recover.ts'
import { type Database, first, type Sql } from './sql.ts'

/** How often a lock that is freed between being refused and being looked at is asked for anew. */
const MOST_TRIES = 10

export function postgresExecutionStore(database: Database): ExecutionStore {
  return {
    acquire: (ask, origin) =>
      database.transaction(async (sql) => {
        await sweep(sql, ask.timeoutMs, origin)
        const started = await start(sql, ask)
        if (!('fence' in started)) return fail(started)
        await mirror(sql, mirroredExecutions([started]), origin)
        return ok(started)
      }),
    async heartbeat(executionId) {
      const row = first(
        await database.repeatable.all<ExecutionRow>(
          `update tbl_crawl_execution e set heartbeat_at = sluice_now()
           where e.execution_id = $1 and e.status = 'running' returning ${EXECUTION}`,
          executionId,
        ),
      )
      return row ? ok(executionOf(row)) : fail({ kind: 'lock-lost', executionId })
    },
    finish: (executionId, status, origin) =>
      database.transaction(async (sql) => {
        // Locked first: whoever is still writing for it is waited for, and counted.
        const running = await sql.all(
          `select 1 from tbl_crawl_execution where execution_id = $1 and status = 'running' for update`,
          executionId,
        )
        if (running.length === 0) return fail({ kind: 'lock-lost', executionId })
        const executionIds = [executionId]
        const attempt = status === 'failed' ? { errorCode: 'PLATFORM_ERROR' } : undefined
        await releaseCandidates(sql, { executionIds, origin, attempt })
        const [ended] = await endExecutions(sql, { executionIds, status, origin })
        return ended ? ok(ended) : fail({ kind: 'lock-lost', executionId })
      }),
    get: async (executionId) => {
      const row = first(
        await database.repeatable.all<ExecutionRow>(
          `select ${EXECUTION} from tbl_crawl_execution e where e.execution_id = $1`,
          executionId,
        ),
      )
      return row && executionOf(row)
    },
    list: async (limit) =>
      (
        await database.repeatable.all<ExecutionRow>(
          `select ${EXECUTION} from tbl_crawl_execution e
           order by e.started_at desc, e.fence desc limit $1`,
          limit,
        )
      ).map(executionOf),
    async daily(days) {
      const rows = await database.repeatable.all<ExecutionTotals>(
        `select to_char(to_timestamp("startedAt" / 1000) at time zone 'UTC', 'YYYY-MM-DD') as day,
           count(*) as executions, sum("itemsProcessed")::bigint as processed, sum("itemsFailed")::bigint as failed
         from (select ${EXECUTION} from tbl_crawl_execution e where e.started_at >= $1) counted
         group by day`,
        firstMomentOf(days),
      )
      return totalsByDay(days, rows)
    },
  }
}

async function start(
  sql: Sql,
  { workflowName, executionId }: ExecutionAsk,
): Promise<Execution | ExecutionTaken> {
  for (let tries = 0; tries < MOST_TRIES; tries++) {
    const started = await insert(sql, workflowName, executionId)
    if (started) return started
    const running = await runningOf(sql, workflowName)
    if (!running) continue
    const { executionId: holder, heartbeatAt } = running
    return { kind: 'execution-taken', holder, heartbeatAt }
  }
  throw new Error(`the execution id ${executionId} was used before`)
}

/** The unique index decides: undefined when another execution of the workflow is running. */
async function insert(
  sql: Sql,
  workflowName: string,
  executionId: string,
): Promise<Execution | undefined> {
  const row = first(
    await sql.all<ExecutionRow>(
      `insert into tbl_crawl_execution as e (execution_id, workflow_name, status, started_at, heartbeat_at,
         items_processed, items_failed, fence)
       select $1::text, $2::text, 'running', sluice_now(), sluice_now(), 0, 0, coalesce(max(fence), 0) + 1
       from tbl_crawl_execution where workflow_name = $2::text
       on conflict do nothing returning ${EXECUTION}`,
      executionId,
      workflowName,
    ),
  )
  return row && executionOf(row)
}

async function runningOf(sql: Sql, workflowName: string): Promise<ExecutionRow | undefined> {
  return first(
    await sql.all<ExecutionRow>(
      `select ${EXECUTION} from tbl_crawl_execution e
       where e.workflow_name = $1 and e.status = 'running'`,
      workflowName,
    ),
  )
}
