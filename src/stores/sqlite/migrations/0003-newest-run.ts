import type { Migration } from './migration.ts'

/** A site's newest run is the first of its index. Before, all that had started at the same moment were sorted for it. */
export const newestRun: Migration = {
  number: 3,
  name: 'newest-run',
  up: [
    `drop index run_by_site`,
    `create index run_by_site on run (site_id, started_at desc, id desc)`,
  ],
  down: [
    `drop index run_by_site`,
    `create index run_by_site on run (site_id, started_at desc, id)`,
  ],
}
