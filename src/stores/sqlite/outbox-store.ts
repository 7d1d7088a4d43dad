import type { OutboxEntry, OutboxStore } from '../outbox-store.ts'
import {
  entriesOf,
  OUTBOX_ROW,
  type OutboxRow,
  readEntry,
  type UnreadEntry,
} from './outbox-entries.ts'
import { first, LIMIT, type Sql } from './sql.ts'

export function sqliteOutboxStore(sql: Sql): OutboxStore {
  return {
    page: async (limit) => {
      const rows = sql.all<OutboxRow>(
        `select ${OUTBOX_ROW} from outbox order by id ${LIMIT}`,
        limit,
      )
      const entries: OutboxEntry[] = []
      for (const row of rows) {
        if (entries.length === limit) break
        const wanted = entriesOf(row).slice(0, limit - entries.length)
        entries.push(...wanted.map((entry) => readEntry(sql, entry)))
      }
      return entries
    },
    ack: async (ids) =>
      sql.transaction(() => {
        const single = sql.run(
          `delete from outbox where table_name is not null and id in (select value from json_each(?))`,
          JSON.stringify(ids),
        )
        return single + acknowledgeNotes(sql, new Set(ids))
      }),
    depth: async () =>
      first(
        sql.all<{ depth: number }>(
          `select coalesce(sum(case when table_name is null then json_array_length(notes) * 2 else 1 end), 0) as depth
           from outbox`,
        ),
      )?.depth ?? 0,
  }
}

/** Of rows of several: what is left of one stays as entries by themselves. */
function acknowledgeNotes(sql: Sql, ids: ReadonlySet<number>): number {
  let acknowledged = 0
  let looked = 0
  for (const id of [...ids].sort((a, b) => a - b)) {
    if (id <= looked) continue
    // Its own row, or the next: nothing is between, so all ids up to that one's are done with.
    const row = first(
      sql.all<OutboxRow>(`select ${OUTBOX_ROW} from outbox where id >= ? order by id limit 1`, id),
    )
    if (!row) break
    looked = row.id
    const entries = entriesOf(row)
    const left = entries.filter((entry) => !ids.has(entry.id))
    if (left.length === entries.length) continue
    acknowledged += entries.length - left.length
    sql.run('delete from outbox where id = ?', row.id)
    for (const entry of left) keep(sql, entry)
  }
  return acknowledged
}

function keep(sql: Sql, entry: UnreadEntry): void {
  sql.run(
    `insert into outbox (id, table_name, op, key, fields, notes, client_token, request_id, created_at)
     values (?, ?, 'upsert', ?, ?, ?, ?, ?, ?)`,
    entry.id,
    entry.table,
    entry.key,
    entry.fields,
    JSON.stringify([entry.note]),
    entry.clientToken,
    entry.requestId,
    entry.createdAt,
  )
}
