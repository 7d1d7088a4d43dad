import { CENSUSES_KEPT, type Census, type CensusStore } from '../census-store.ts'
import { LIMIT, type Sql } from './sql.ts'

export function sqliteCensusStore(sql: Sql): CensusStore {
  return {
    keep: async ({ day, countedAt, pending, processing, collected, failed }) =>
      sql.transaction(() => {
        sql.run(
          `insert into candidate_census (day, counted_at, pending, processing, collected, failed)
           values (?, ?, ?, ?, ?, ?)
           on conflict do update set counted_at = excluded.counted_at, pending = excluded.pending,
             processing = excluded.processing, collected = excluded.collected, failed = excluded.failed`,
          day,
          countedAt,
          pending,
          processing,
          collected,
          failed,
        )
        sql.run(
          `delete from candidate_census where day not in (
             select day from candidate_census order by day desc ${LIMIT})`,
          CENSUSES_KEPT,
        )
      }),
    list: async (days) =>
      sql.all<Census>(
        `select day, counted_at as countedAt, pending, processing, collected, failed from candidate_census
         where day in (select value from json_each(?)) order by day`,
        JSON.stringify(days),
      ),
  }
}
