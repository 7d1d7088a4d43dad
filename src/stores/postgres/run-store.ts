import type { UtcDay } from '../../core/utc-day.ts'
import {
  RUNS_KEPT_PER_SITE,
  type ChannelTotals,
  type DailyTotals,
  type Run,
  type RunStore,
  totalsOfRun,
} from '../run-store.ts'
import { type Database, first, json, orNull, type Sql } from './sql.ts'

type Channel = 'indexnow' | 'bing'
type TotalRow = ChannelTotals & { readonly day: UtcDay; readonly channel: Channel }
interface RunRow {
  readonly body: Omit<Run, 'finishedAt'>
}

export function postgresRunStore(database: Database): RunStore {
  return {
    begin: (run) =>
      database.transaction(async (sql) => {
        const killed = await sql.all<RunRow>(
          `select body from run where site_id = $1 and status = 'running' order by id for update`,
          run.siteId,
        )
        for (const row of killed) await interrupt(sql, runOf(row), run.startedAt)
        await put(sql, run)
      }),
    async progress(run) {
      await database.repeatable.run(
        `update run set body = $1 where id = $2 and status = 'running'`,
        json(run),
        run.id,
      )
    },
    finish: (run) =>
      database.repeatable.transaction(async (sql) => {
        if ((await put(sql, run)) === 0) return
        await addToDay(sql, run.siteId, totalsOfRun(run))
        await sql.run(
          `delete from run where site_id = $1 and id not in (
             select id from run where site_id = $1 order by started_at desc, id desc limit $2)`,
          run.siteId,
          RUNS_KEPT_PER_SITE,
        )
      }),
    addTotals: (siteId, totals) => database.transaction((sql) => addToDay(sql, siteId, totals)),
    get: async (id) => {
      const row = first(
        await database.repeatable.all<RunRow>('select body from run where id = $1', id),
      )
      return row && runOf(row)
    },
    list: async (siteId, limit) =>
      (
        await database.repeatable.all<RunRow>(
          'select body from run where site_id = $1 order by started_at desc, id desc limit $2',
          siteId,
          limit,
        )
      ).map(runOf),
    async daily(days, siteId) {
      const rows = await database.repeatable.all<TotalRow>(
        `select day, channel, sum(total)::bigint as total, sum(successful)::bigint as successful
         from daily_total
         where day in (select jsonb_array_elements_text($1)) and ($2::text is null or site_id = $2)
         group by day, channel`,
        json(days),
        orNull(siteId),
      )
      return days.map((day) => totalsOf(day, rows))
    },
  }
}

/** What a killed run had last shown is counted: the totals are of what was sent, by whomever. */
async function interrupt(sql: Sql, run: Run, now: number): Promise<void> {
  await put(sql, { ...run, status: 'interrupted', finishedAt: now })
  await addToDay(sql, run.siteId, totalsOfRun(run))
}

function runOf({ body }: RunRow): Run {
  return { finishedAt: undefined, ...body }
}

function put(sql: Sql, run: Run): Promise<number> {
  return sql.run(
    `insert into run (id, site_id, started_at, finished_at, status, body) values ($1, $2, $3, $4, $5, $6)
     on conflict (id) do update
       set finished_at = excluded.finished_at, status = excluded.status, body = excluded.body
       where run.status = 'running'`,
    run.id,
    run.siteId,
    run.startedAt,
    orNull(run.finishedAt),
    run.status,
    json(run),
  )
}

/** Both channels in one statement and always in this order: two runs that end at once wait in line. */
async function addToDay(
  sql: Sql,
  siteId: string,
  { day, indexnow, bing }: DailyTotals,
): Promise<void> {
  await sql.run(
    `insert into daily_total (day, site_id, channel, total, successful)
     values ($1, $2, 'bing', $3, $4), ($1, $2, 'indexnow', $5, $6)
     on conflict (day, site_id, channel) do update
       set total = daily_total.total + excluded.total,
         successful = daily_total.successful + excluded.successful`,
    day,
    siteId,
    bing.total,
    bing.successful,
    indexnow.total,
    indexnow.successful,
  )
}

function totalsOf(day: UtcDay, rows: readonly TotalRow[]): DailyTotals {
  const of = (channel: Channel) => {
    const row = rows.find((candidate) => candidate.day === day && candidate.channel === channel)
    return { total: row?.total ?? 0, successful: row?.successful ?? 0 }
  }
  return { day, indexnow: of('indexnow'), bing: of('bing') }
}
