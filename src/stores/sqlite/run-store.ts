import type { UtcDay } from '../../core/utc-day.ts'
import {
  RUNS_KEPT_PER_SITE,
  type ChannelTotals,
  type DailyTotals,
  type Run,
  type RunStore,
  totalsOfRun,
} from '../run-store.ts'
import { first, orNull, type Sql } from './sql.ts'

type Channel = 'indexnow' | 'bing'
type TotalRow = ChannelTotals & { readonly day: UtcDay; readonly channel: Channel }

export function sqliteRunStore(sql: Sql): RunStore {
  const runOf = ({ body }: { body: string }): Run => ({
    finishedAt: undefined,
    ...JSON.parse(body),
  })
  const put = (run: Run) =>
    sql.run(
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
  const addToDay = (siteId: string, { day, ...channels }: DailyTotals) => {
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
  return {
    begin: async (run) =>
      sql.transaction(() => {
        const killed = sql.all<{ body: string }>(
          `select body from run where site_id = ? and status = 'running'`,
          run.siteId,
        )
        for (const row of killed) {
          put({ ...runOf(row), status: 'interrupted', finishedAt: run.startedAt })
        }
        put(run)
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
        if (put(run) === 0) return
        addToDay(run.siteId, totalsOfRun(run))
        sql.run(
          `delete from run where site_id = ? and id not in (
             select id from run where site_id = ? order by started_at desc, id desc limit ?)`,
          run.siteId,
          run.siteId,
          RUNS_KEPT_PER_SITE,
        )
      }),
    addTotals: async (siteId, totals) => sql.transaction(() => addToDay(siteId, totals)),
    get: async (id) => {
      const row = first(sql.all<{ body: string }>('select body from run where id = ?', id))
      return row && runOf(row)
    },
    list: async (siteId, limit) =>
      sql
        .all<{ body: string }>(
          'select body from run where site_id = ? order by started_at desc, id desc limit ?',
          siteId,
          limit,
        )
        .map(runOf),
    async daily(days, siteId) {
      const rows = sql.all<TotalRow>(
        `select day, channel, sum(total) as total, sum(successful) as successful from daily_total
         where day in (select value from json_each(?)) and (? is null or site_id = ?)
         group by day, channel`,
        JSON.stringify(days),
        orNull(siteId),
        orNull(siteId),
      )
      return days.map((day) => totalsOf(day, rows))
    },
  }
}

function totalsOf(day: UtcDay, rows: readonly TotalRow[]): DailyTotals {
  const of = (channel: Channel) => {
    const row = rows.find((candidate) => candidate.day === day && candidate.channel === channel)
    return { total: row?.total ?? 0, successful: row?.successful ?? 0 }
  }
  return { day, indexnow: of('indexnow'), bing: of('bing') }
}
