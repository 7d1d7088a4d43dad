import type { AlertState } from '../../core/alert.ts'
import type { AlertMessage, AlertStore } from '../alert-store.ts'
import { type Database, first, json, orUndefined, type Sql } from './sql.ts'

type MessageRow = Omit<AlertMessage, 'deliveredAt'> & { readonly deliveredAt: number | null }

const MESSAGE = `id, notice, at, alert, delivered_at as "deliveredAt"`

export function postgresAlertStore(database: Database): AlertStore {
  const { repeatable } = database
  return {
    move: (key, step, now) =>
      database.transaction(async (sql) => {
        // Of the key and not of the row: the first to raise an alert has no row to lock.
        await sql.run(
          `select pg_advisory_xact_lock(hashtextextended('sluice alert ' || $1, 0))`,
          key,
        )
        const moved = step(await stateOf(sql, key))
        await keep(sql, key, moved.state)
        if (moved.notice) {
          await sql.run(
            'insert into alert_message (notice, at, alert) values ($1, $2, $3)',
            moved.notice,
            now,
            json(moved.state),
          )
        }
        return moved
      }),
    list: async () =>
      (await repeatable.all<{ state: AlertState }>('select state from alert order by key')).map(
        ({ state }) => state,
      ),
    undelivered: async () =>
      (
        await repeatable.all<MessageRow>(
          `select ${MESSAGE} from alert_message where delivered_at is null order by id`,
        )
      ).map(messageOf),
    async delivered(id, at) {
      await repeatable.run(
        'update alert_message set delivered_at = $1 where id = $2 and delivered_at is null',
        at,
        id,
      )
    },
    messages: async (limit) =>
      (
        await repeatable.all<MessageRow>(
          `select ${MESSAGE} from alert_message order by id desc limit $1`,
          limit,
        )
      ).map(messageOf),
  }
}

function messageOf(row: MessageRow): AlertMessage {
  return { ...row, deliveredAt: orUndefined(row.deliveredAt) }
}

async function stateOf(sql: Sql, key: string): Promise<AlertState | undefined> {
  const rows = await sql.all<{ state: AlertState }>('select state from alert where key = $1', key)
  return first(rows)?.state
}

async function keep(sql: Sql, key: string, state: AlertState | undefined): Promise<void> {
  if (!state) {
    await sql.run('delete from alert where key = $1', key)
    return
  }
  await sql.run(
    'insert into alert (key, state) values ($1, $2) on conflict (key) do update set state = excluded.state',
    key,
    json(state),
  )
}
