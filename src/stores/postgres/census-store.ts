import { CENSUSES_KEPT, type Census, type CensusStore } from '../census-store.ts'
import { type Database, json } from './sql.ts'

export function postgresCensusStore(database: Database): CensusStore {
  return {
    keep: ({ day, countedAt, pending, processing, collected, failed }) =>
      database.repeatable.transaction(async (sql) => {
        await sql.run(
          `insert into candidate_census (day, counted_at, pending, processing, collected, failed)
           values ($1, $2, $3, $4, $5, $6)
           on conflict (day) do update set counted_at = excluded.counted_at, pending = excluded.pending,
             processing = excluded.processing, collected = excluded.collected, failed = excluded.failed`,
          day,
          countedAt,
          pending,
          processing,
          collected,
          failed,
        )
        await sql.run(
          `delete from candidate_census where day not in (
             select day from candidate_census order by day desc limit $1)`,
          CENSUSES_KEPT,
        )
      }),
    list: (days) =>
      database.repeatable.all<Census>(
        `select day, counted_at as "countedAt", pending, processing, collected, failed from candidate_census
         where day in (select jsonb_array_elements_text($1)) order by day`,
        json(days),
      ),
  }
}
