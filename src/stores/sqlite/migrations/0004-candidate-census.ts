import type { Migration } from './migration.ts'

/** How many candidates were in each state, a row a day. Nothing that claims or completes writes it. */
export const candidateCensus: Migration = {
  number: 4,
  name: 'candidate-census',
  up: [
    `create table candidate_census (
      day text primary key,
      counted_at integer not null,
      pending integer not null,
      processing integer not null,
      collected integer not null,
      failed integer not null
    ) strict`,
  ],
  down: [`drop table candidate_census`],
}
