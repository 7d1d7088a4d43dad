import type { Clock } from '../../core/clock.ts'
import { fail, ok } from '../../core/result.ts'
import {
  type Execution,
  type ExecutionStore,
  type ExecutionTotals,
  firstMomentOf,
  totalsByDay,
} from '../execution-store.ts'
import { releaseCandidates, sweep } from './recover.ts'
import { executionOf, EXECUTION, type ExecutionRow } from './execution-row.ts'
import { mirroredExecutions } from '../mirrored-execution.ts'
import type { Mirror } from './mirror.ts'
import { first, LIMIT, type Sql } from './sql.ts'

export function sqliteExecutionStore(sql: Sql, clock: Clock, mirror: Mirror): ExecutionStore {
  return {
    acquire: async ({ workflowName, executionId, timeoutMs }, origin) =>
      sql.transaction(() => {
        sweep({ sql, mirror, now: clock.now(), timeoutMs, origin })
        const started = insert(sql, workflowName, executionId, clock.now())
        if (started) {
          mirror.rows(mirroredExecutions([started]), origin)
          return ok(started)
        }
        const running = first(
          sql.all<ExecutionRow>(
            `select ${EXECUTION} from tbl_crawl_execution where workflow_name = ? and status = 'running'`,
            workflowName,
          ),
        )
        if (!running) throw new Error(`the execution id ${executionId} was used before`)
        const { executionId: holder, heartbeatAt } = running
        return fail({ kind: 'execution-taken', holder, heartbeatAt })
      }),
    async heartbeat(executionId) {
      const beaten = sql.all<ExecutionRow>(
        `update tbl_crawl_execution set heartbeat_at = ? where execution_id = ? and status = 'running'
         returning ${EXECUTION}`,
        clock.now(),
        executionId,
      )
      const row = first(beaten)
      return row ? ok(executionOf(row)) : fail({ kind: 'lock-lost', executionId })
    },
    finish: async (executionId, status, origin) =>
      sql.transaction(() => {
        const row = first(
          sql.all<ExecutionRow>(
            `update tbl_crawl_execution set status = ?, completed_at = ?, heartbeat_at = ?
             where execution_id = ? and status = 'running' returning ${EXECUTION}`,
            status,
            clock.now(),
            clock.now(),
            executionId,
          ),
        )
        if (!row) return fail({ kind: 'lock-lost', executionId })
        const attempt = status === 'failed' ? { errorCode: 'PLATFORM_ERROR' } : undefined
        releaseCandidates({ sql, mirror, origin, attempt })
        mirror.rows(mirroredExecutions([executionOf(row)]), origin)
        return ok(executionOf(row))
      }),
    get: async (executionId) => {
      const row = first(
        sql.all<ExecutionRow>(
          `select ${EXECUTION} from tbl_crawl_execution where execution_id = ?`,
          executionId,
        ),
      )
      return row && executionOf(row)
    },
    list: async (limit) =>
      sql
        .all<ExecutionRow>(
          `select ${EXECUTION} from tbl_crawl_execution order by started_at desc, fence desc ${LIMIT}`,
          limit,
        )
        .map(executionOf),
    async daily(days) {
      const rows = sql.all<ExecutionTotals>(
        `select date(started_at / 1000, 'unixepoch') as day, count(*) as executions,
           sum(items_processed) as processed, sum(items_failed) as failed
         from tbl_crawl_execution where started_at >= ? group by day`,
        firstMomentOf(days),
      )
      return totalsByDay(days, rows)
    },
  }
}

/** The unique index decides: undefined when another execution of the workflow is running. */
function insert(
  sql: Sql,
  workflowName: string,
  executionId: string,
  now: number,
): Execution | undefined {
  const row = first(
    sql.all<ExecutionRow>(
      `insert into tbl_crawl_execution (execution_id, workflow_name, status, started_at, heartbeat_at,
         items_processed, items_failed, fence)
       select ?, ?, 'running', ?, ?, 0, 0, coalesce(max(fence), 0) + 1
       from tbl_crawl_execution where workflow_name = ?
       on conflict do nothing returning ${EXECUTION}`,
      executionId,
      workflowName,
      now,
      now,
      workflowName,
    ),
  )
  return row && executionOf(row)
}
