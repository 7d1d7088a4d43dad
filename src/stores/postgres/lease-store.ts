import type { Lease } from '../../core/lease.ts'
import { fail, ok } from '../../core/result.ts'
import type { LeaseAsk, LeaseStore } from '../lease-store.ts'
import { type Database, first } from './sql.ts'

const LEASE = `name, holder, expires_at as "expiresAt", fence`

/** How often a lease that is freed between being refused and being looked at is asked for anew. */
const MOST_TRIES = 10

export function postgresLeaseStore(database: Database): LeaseStore {
  const take = async ({ name, holder, ttlMs }: LeaseAsk) =>
    first(
      await database.all<Lease>(
        `insert into lease (name, holder, expires_at, fence) values ($1, $2, sluice_now() + $3::bigint, 1)
         on conflict (name) do update
           set holder = excluded.holder, expires_at = excluded.expires_at, fence = lease.fence + 1
           where lease.expires_at <= sluice_now()
         returning ${LEASE}`,
        name,
        holder,
        ttlMs,
      ),
    )
  const holderOf = async (name: string) =>
    first(
      await database.all<Lease>(
        `select ${LEASE} from lease where name = $1 and holder <> ''`,
        name,
      ),
    )
  return {
    async acquire(ask) {
      for (let tries = 0; tries < MOST_TRIES; tries++) {
        const lease = await take(ask)
        if (lease) return ok(lease)
        const held = await holderOf(ask.name)
        if (!held) continue
        return fail({ kind: 'lease-taken', holder: held.holder, expiresAt: held.expiresAt })
      }
      throw new Error(`lease ${ask.name} was refused ${MOST_TRIES} times though nobody holds it`)
    },
    async renew(lease, ttlMs) {
      const { name, fence } = lease
      // A released lease has no holder and cannot be renewed back to life.
      const renewed = first(
        await database.repeatable.all<Lease>(
          `update lease set expires_at = sluice_now() + $1::bigint
           where name = $2 and fence = $3 and holder <> '' returning ${LEASE}`,
          ttlMs,
          name,
          fence,
        ),
      )
      return renewed
        ? ok({ ...lease, expiresAt: renewed.expiresAt })
        : fail({ kind: 'lease-lost', name })
    },
    async release({ name, fence }) {
      // The row stays: the next holder's fence must be greater than ours.
      await database.repeatable.run(
        `update lease set expires_at = 0, holder = '' where name = $1 and fence = $2`,
        name,
        fence,
      )
    },
    held: () =>
      database.repeatable.all<Lease>(
        `select ${LEASE} from lease where expires_at > sluice_now() order by name`,
      ),
  }
}
