import type { UtcDay } from '../../core/utc-day.ts'
import {
  RUNS_KEPT_PER_SITE,
  type ChannelTotals,
  type DailyTotals,
  type Run,
  type RunStore,
  totalsOfRun,
} from '../run-store.ts'
import { first, LIMIT, orNull, type Sql } from './sql.ts'

type Channel = 'indexnow' | 'bing'
type TotalRow = ChannelTotals & { readonly day: UtcDay; readonly channel: Channel }

export function sqliteRunStore(sql: Sql): RunStore {
  return {
    begin: async (run) =>
      sql.transaction(() => {
        const killed = sql.all<{ body: string }>(
          `select body from run where site_id = ? and status = 'running'`,
          run.siteId,
        )
        for (const row of killed) interrupt(sql, runOf(row), run.startedAt)
        put(sql, run)
      }),
    async progress(run) {
      sql.run(
        `update run set body = ? where id = ? and status = 'running'`,
        JSON.stringify(run),
        run.id,
      )
    },
    finish: async (run) =>
      sql.transaction(() => {
        if (put(sql, run) === 0) return
        addToDay(sql, run.siteId, totalsOfRun(run))
        sql.run(
          `delete from run where site_id = ? and id not in (
             select id from run where site_id = ? order by started_at desc, id desc ${LIMIT})`,
          run.siteId,
          run.siteId,
          RUNS_KEPT_PER_SITE,
        )
      }),
    addTotals: async (siteId, totals) => sql.transaction(() => addToDay(sql, siteId, totals)),
    get: async (id) => {
      const row = first(sql.all<{ body: string }>('select body from run where id = ?', id))
      return row && runOf(row)
    },
    list: async (siteId, limit) =>
      sql
        .all<{ body: string }>(
          `select body from run where site_id = ? order by started_at desc, id desc ${LIMIT}`,
          siteId,
          limit,
        )
        .map(runOf),
    async daily(days, siteId) {
      const rows = siteId === undefined ? totalsOfAll(sql, days) : totalsOfSite(sql, days, siteId)
      const known = new Map(rows.map((row) => [`${row.day} ${row.channel}`, row]))
      return days.map((day) => totalsOf(day, known))
    },
  }
}

/** Ends every run that is recorded as running: nobody is left who could. */
export function interruptRuns(sql: Sql, now: number): void {
  const running = sql.all<{ body: string }>(`select body from run where status = 'running'`)
  for (const row of running) interrupt(sql, runOf(row), now)
}

/** What a killed run had last shown is counted: the totals are of what was sent, by whomever. */
function interrupt(sql: Sql, run: Run, now: number): void {
  put(sql, { ...run, status: 'interrupted', finishedAt: now })
  addToDay(sql, run.siteId, totalsOfRun(run))
}

export function runOf({ body }: { body: string }): Run {
  return { finishedAt: undefined, ...JSON.parse(body) }
}

function put(sql: Sql, run: Run): number {
  return sql.run(
    `insert into run (id, site_id, started_at, finished_at, status, body) values (?, ?, ?, ?, ?, ?)
     on conflict do update
       set finished_at = excluded.finished_at, status = excluded.status, body = excluded.body
       where run.status = 'running'`,
    run.id,
    run.siteId,
    run.startedAt,
    orNull(run.finishedAt),
    run.status,
    JSON.stringify(run),
  )
}

function addToDay(sql: Sql, siteId: string, { day, ...channels }: DailyTotals): void {
  for (const channel of ['indexnow', 'bing'] as const) {
    const { total, successful } = channels[channel]
    sql.run(
      `insert into daily_total (day, site_id, channel, total, successful) values (?, ?, ?, ?, ?)
       on conflict do update set total = total + excluded.total, successful = successful + excluded.successful`,
      day,
      siteId,
      channel,
      total,
      successful,
    )
  }
}

function totalsOfAll(sql: Sql, days: readonly UtcDay[]): TotalRow[] {
  return sql.all<TotalRow>(
    `select day, channel, sum(total) as total, sum(successful) as successful from daily_total
     where day in (select value from json_each(?)) group by day, channel`,
    JSON.stringify(days),
  )
}

/** Each row is one already: nothing is to be summed up, nor sorted for it. */
function totalsOfSite(sql: Sql, days: readonly UtcDay[], siteId: string): TotalRow[] {
  const [day, ...others] = days
  if (day !== undefined && others.length === 0) return totalsOfDay(sql, day, siteId)
  return sql.all<TotalRow>(
    `select day, channel, total, successful from daily_total
     where day in (select value from json_each(?)) and site_id = ?`,
    JSON.stringify(days),
    siteId,
  )
}

/** As the metrics ask for each site: to read the list of days would take longer than to read the rows. */
function totalsOfDay(sql: Sql, day: UtcDay, siteId: string): TotalRow[] {
  return sql.all<TotalRow>(
    'select day, channel, total, successful from daily_total where day = ? and site_id = ?',
    day,
    siteId,
  )
}

function totalsOf(day: UtcDay, known: ReadonlyMap<string, TotalRow>): DailyTotals {
  const of = (channel: Channel) => {
    const row = known.get(`${day} ${channel}`)
    return { total: row?.total ?? 0, successful: row?.successful ?? 0 }
  }
  return { day, indexnow: of('indexnow'), bing: of('bing') }
}
