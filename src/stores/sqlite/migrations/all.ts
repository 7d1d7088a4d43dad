import type { Migration } from './migration.ts'
import { submit } from './0001-submit.ts'
import { collect } from './0002-collect.ts'
import { newestRun } from './0003-newest-run.ts'
import { candidateCensus } from './0004-candidate-census.ts'
import { lighterWrites } from './0005-lighter-writes.ts'

/** In order: the migration to schema 1 first. One that was released is never changed; a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [
  submit,
  collect,
  newestRun,
  candidateCensus,
  lighterWrites,
]
