import type { Clock } from '../../core/clock.ts'
import type { Lease } from '../../core/lease.ts'
import { fail, ok } from '../../core/result.ts'
import type { LeaseStore } from '../lease-store.ts'
import { first, type Sql } from './sql.ts'

const LEASE = 'name, holder, expires_at as expiresAt, fence'

export function sqliteLeaseStore(sql: Sql, clock: Clock): LeaseStore {
  const take = (name: string, holder: string, ttlMs: number) =>
    first(
      sql.all<Lease>(
        `insert into lease (name, holder, expires_at, fence) values (?, ?, ?, 1)
         on conflict (name) do update
           set holder = excluded.holder, expires_at = excluded.expires_at, fence = fence + 1
           where lease.expires_at <= ?
         returning ${LEASE}`,
        name,
        holder,
        clock.now() + ttlMs,
        clock.now(),
      ),
    )
  return {
    acquire: async ({ name, holder, ttlMs }) =>
      sql.transaction(() => {
        const lease = take(name, holder, ttlMs)
        if (lease) return ok({ ...lease })
        const [held] = sql.all<Lease>(`select ${LEASE} from lease where name = ?`, name)
        if (!held) throw new Error(`lease ${name} was refused but nobody holds it`)
        return fail({ kind: 'lease-taken', holder: held.holder, expiresAt: held.expiresAt })
      }),
    async renew(lease, ttlMs) {
      const { name, fence } = lease
      const expiresAt = clock.now() + ttlMs
      // A released lease has no holder and cannot be renewed back to life.
      const renewed = sql.run(
        `update lease set expires_at = ? where name = ? and fence = ? and holder <> ''`,
        expiresAt,
        name,
        fence,
      )
      return renewed === 1 ? ok({ ...lease, expiresAt }) : fail({ kind: 'lease-lost', name })
    },
    async release({ name, fence }) {
      // The row stays: the next holder's fence must be greater than ours.
      sql.run(
        `update lease set expires_at = 0, holder = '' where name = ? and fence = ?`,
        name,
        fence,
      )
    },
    held: async () =>
      sql.all<Lease>(`select ${LEASE} from lease where expires_at > ? order by name`, clock.now()),
  }
}

/** Frees every lease, whoever holds it. The rows stay, for their fences. */
export function freeLeases(sql: Sql): void {
  sql.run(`update lease set expires_at = 0, holder = ''`)
}
