import type { Clock } from '../../core/clock.ts'
import { mapWithConcurrency } from '../../core/concurrency.ts'
import { isExpired, type Lease } from '../../core/lease.ts'
import { fail, ok } from '../../core/result.ts'
import type { LeaseStore } from '../lease-store.ts'
import type { Documents } from './documents.ts'
import { KEYS } from './keys.ts'
import { READS_AT_ONCE } from './kv.ts'

interface LeaseNames {
  readonly names: readonly string[]
}

/**
 * Not atomic: KV cannot compare and set. Whoever took a lease looks whether it is still theirs, which finds a rival nearby;
 * two who are far apart may both have it for up to a minute. A fence is the time, so that the later of the two is
 * the one whom the ledger believes.
 */
export function kvLeaseStore(documents: Documents, clock: Clock): LeaseStore {
  const read = (name: string) => documents.read<Lease>(KEYS.lease(name))
  /** Names are kept beside the leases, for to list keys costs as much as to write one. */
  const knowName = async (name: string) => {
    const known = await documents.read<LeaseNames>(KEYS.leases)
    if (known?.names.includes(name)) return
    await documents.change<LeaseNames, void>(KEYS.leases, ({ names } = { names: [] }) => ({
      after: { names: [...new Set([...names, name])] },
      answer: undefined,
    }))
  }
  return {
    async acquire({ name, holder, ttlMs }) {
      const now = clock.now()
      const wanted = { name, holder, expiresAt: now + ttlMs }
      const taken = await documents.change<Lease, Lease | undefined>(KEYS.lease(name), (before) => {
        if (before && !isExpired(before, now)) return { answer: undefined }
        const after = { ...wanted, fence: Math.max(now, (before?.fence ?? 0) + 1) }
        return { after, answer: after }
      })
      const current = await read(name)
      if (taken && current?.fence === taken.fence && current.holder === holder) {
        await knowName(name)
        return ok(taken)
      }
      const { holder: other = '', expiresAt = now } = current ?? {}
      return fail({ kind: 'lease-taken', holder: other, expiresAt })
    },
    renew: (lease, ttlMs) =>
      documents.change<Lease, Awaited<ReturnType<LeaseStore['renew']>>>(
        KEYS.lease(lease.name),
        (before) => {
          const { name, fence } = lease
          // A released lease has no holder and cannot be renewed back to life.
          if (!before || before.fence !== fence || before.holder === '')
            return { answer: fail({ kind: 'lease-lost', name }) }
          const after = { ...lease, expiresAt: clock.now() + ttlMs }
          return { after, answer: ok(after) }
        },
      ),
    release: ({ name, fence }) =>
      documents.change<Lease, void>(KEYS.lease(name), (before) => {
        if (before?.fence !== fence) return { answer: undefined }
        // It stays: the next holder's fence must be greater than ours.
        return { after: { ...before, holder: '', expiresAt: 0 }, answer: undefined }
      }),
    async held() {
      const { names } = (await documents.read<LeaseNames>(KEYS.leases)) ?? { names: [] }
      const all = await mapWithConcurrency(names.toSorted(), READS_AT_ONCE, read)
      return all
        .filter((lease) => lease !== undefined && !isExpired(lease, clock.now()))
        .map((lease) => leaseOf(lease as Lease))
    },
  }
}

function leaseOf({ name, holder, expiresAt, fence }: Lease): Lease {
  return { name, holder, expiresAt, fence }
}
