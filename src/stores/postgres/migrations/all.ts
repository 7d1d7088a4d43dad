import type { Migration } from './migration.ts'
import { submit } from './0001-submit.ts'
import { collect } from './0002-collect.ts'
import { lighterWrites } from './0003-lighter-writes.ts'
import { candidateCensus } from './0004-candidate-census.ts'

/** In order: the migration to schema 1 first. One that was released is never changed; a new one follows it. */
export const MIGRATIONS: readonly Migration[] = [submit, collect, lighterWrites, candidateCensus]
