import type { Migration } from './migration.ts'

/** How many candidates were in each state, a row a day. Nothing that claims or completes writes it. */
export const candidateCensus: Migration = {
  number: 4,
  name: 'candidate-census',
  up: [
    `create table candidate_census (
      day text collate "C" primary key,
      counted_at bigint not null,
      pending bigint not null,
      processing bigint not null,
      collected bigint not null,
      failed bigint not null
    )`,
  ],
  down: [`drop table candidate_census`],
}
