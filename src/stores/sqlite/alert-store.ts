import type { AlertState } from '../../core/alert.ts'
import type { AlertMessage, AlertStore } from '../alert-store.ts'
import { first, LIMIT, orUndefined, type Sql } from './sql.ts'

interface MessageRow {
  readonly id: number
  readonly notice: AlertMessage['notice']
  readonly at: number
  readonly alert: string
  readonly deliveredAt: number | null
}

const MESSAGE = 'id, notice, at, alert, delivered_at as deliveredAt'

export function sqliteAlertStore(sql: Sql): AlertStore {
  const messageOf = (row: MessageRow): AlertMessage => ({
    ...row,
    alert: JSON.parse(row.alert),
    deliveredAt: orUndefined(row.deliveredAt),
  })
  const stateOf = (key: string): AlertState | undefined => {
    const row = first(sql.all<{ state: string }>('select state from alert where key = ?', key))
    return row && JSON.parse(row.state)
  }
  const keep = (key: string, state: AlertState | undefined) => {
    if (!state) return sql.run('delete from alert where key = ?', key)
    return sql.run(
      'insert into alert (key, state) values (?, ?) on conflict do update set state = excluded.state',
      key,
      JSON.stringify(state),
    )
  }
  return {
    move: async (key, step, now) =>
      sql.transaction(() => {
        const moved = step(stateOf(key))
        keep(key, moved.state)
        if (moved.notice) {
          sql.run(
            'insert into alert_message (notice, at, alert) values (?, ?, ?)',
            moved.notice,
            now,
            JSON.stringify(moved.state),
          )
        }
        return moved
      }),
    list: async () =>
      sql
        .all<{ state: string }>('select state from alert order by key')
        .map(({ state }) => JSON.parse(state)),
    undelivered: async () =>
      sql
        .all<MessageRow>(
          `select ${MESSAGE} from alert_message where delivered_at is null order by id`,
        )
        .map(messageOf),
    async delivered(id, at) {
      sql.run(
        'update alert_message set delivered_at = ? where id = ? and delivered_at is null',
        at,
        id,
      )
    },
    messages: async (limit) =>
      sql
        .all<MessageRow>(`select ${MESSAGE} from alert_message order by id desc ${LIMIT}`, limit)
        .map(messageOf),
  }
}
