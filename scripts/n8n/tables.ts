/** Bitable's numbers for the kinds of fields that the mirror needs. */
const TEXT = 1
const NUMBER = 2
const DATE = 5

const texts = (...names: readonly string[]) => names.map((name) => [name, TEXT] as const)
const numbers = (...names: readonly string[]) => names.map((name) => [name, NUMBER] as const)
const dates = (...names: readonly string[]) => names.map((name) => [name, DATE] as const)

type Fields = readonly (readonly [name: string, type: number])[]

/** What names a row, in every table; the first field is the one that people see first. */
const KEY: Fields = texts('idempotency_key')

/** SPEC C09: the four tables of the mirror, with the founding document's names and fields. */
export const MIRROR_TABLES = {
  tbl_cookie: [
    ...KEY,
    // Stays empty: the mirror never carries it.
    ...texts('cookie_name', 'platform', 'cookie_encrypted', 'encryption_key_id', 'status'),
    ...numbers('priority', 'daily_used', 'daily_limit', 'consecutive_errors', 'total_errors'),
    ...dates('cooling_until', 'created_at', 'updated_at'),
  ],
  tbl_candidate: [
    ...KEY,
    ...texts('note_id', 'platform', 'note_url', 'status', 'processing_lock'),
    ...dates('locked_at'),
    ...numbers('retry_count'),
    ...texts('source_keyword', 'last_error_code', 'exec_meta'),
  ],
  tbl_crawl_execution: [
    ...KEY,
    ...texts('workflow_name', 'execution_id', 'status'),
    ...dates('started_at', 'heartbeat_at', 'completed_at'),
    ...numbers('items_processed', 'items_failed', 'fence'),
  ],
  tbl_source: [
    ...KEY,
    ...texts('platform', 'note_id', 'canonical_url', 'kind', 'title', 'text'),
    ...texts('tags', 'media', 'author', 'metrics', 'adapter'),
    ...dates('published_at', 'edited_at', 'crawled_at', 'created_at'),
    ...texts('processing_lock'),
    ...dates('locked_at'),
    ...numbers('retry_count'),
    ...texts('last_error_code', 'exec_meta'),
  ],
} as const satisfies Record<string, Fields>
