import type { Clock } from '../../core/clock.ts'
import { seconds } from '../../core/duration.ts'

/** What is used of a KV namespace: no more, so that nothing here depends on its runtime's types. */
export interface KvNamespace {
  get(key: string, type: 'text'): Promise<string | null>
  get(key: string, type: 'arrayBuffer'): Promise<ArrayBuffer | null>
  put(
    key: string,
    value: string | Uint8Array,
    options?: { readonly expirationTtl: number },
  ): Promise<void>
  delete(key: string): Promise<void>
  list(ask: { readonly prefix: string; readonly cursor?: string }): Promise<{
    readonly keys: readonly { readonly name: string }[]
    readonly list_complete: boolean
    readonly cursor?: string
  }>
}

/** Operations as they are billed; the free plan has 100,000 reads a day and 1,000 of each of the others. */
export interface KvCounts {
  readonly reads: number
  readonly writes: number
  readonly deletes: number
  readonly lists: number
}

export interface Kv {
  text(key: string): Promise<string | undefined>
  bytes(key: string): Promise<Uint8Array | undefined>
  /** For a key that is written once, or always with the same: a refused write is repeated as it is. */
  put(key: string, value: string | Uint8Array, ttlMs?: number): Promise<void>
  /**
   * For a value that is made from what is there: asked for before each try, since a refused write means that somebody
   * else has written. Gives what was made last; without a `value` nothing is written.
   */
  putMade<M extends Made>(
    key: string,
    make: (last: M | undefined) => Promise<M>,
    ttlMs?: number,
  ): Promise<M>
  delete(key: string): Promise<void>
  /** Every key that begins so. What others wrote in the last minute may be missing. */
  keys(prefix: string): Promise<readonly string[]>
  /** Since it was opened. */
  used(): KvCounts
}

export interface Made {
  readonly value?: string | Uint8Array
}

/** Connections that a Worker may have open at once. */
export const READS_AT_ONCE = 6

/** A key takes one write a second; one that comes too soon is refused, and repeated. */
const AFTER_REFUSAL_MS = seconds(1)
const MOST_TRIES = 5
const TOO_SOON = /\b429\b|too many requests/i

/** Counts where operations leave, so that none is missed. */
export function openKv(namespace: KvNamespace, clock: Clock): Kv {
  const used = { reads: 0, writes: 0, deletes: 0, lists: 0 }
  const putMade = async <M extends Made>(
    key: string,
    make: (last: M | undefined) => Promise<M>,
    ttlMs?: number,
  ): Promise<M> => {
    const options = ttlMs === undefined ? [] : ([{ expirationTtl: ttlMs / 1_000 }] as const)
    let last: M | undefined
    for (let tries = 1; ; tries++) {
      const made = await make(last)
      if (made.value === undefined) return made
      used.writes++
      try {
        await namespace.put(key, made.value, ...options)
        return made
      } catch (error) {
        const isTooSoon = error instanceof Error && TOO_SOON.test(error.message)
        if (!isTooSoon || tries === MOST_TRIES) throw error
        await clock.sleep(AFTER_REFUSAL_MS)
      }
      last = made
    }
  }
  return {
    async text(key) {
      used.reads++
      return (await namespace.get(key, 'text')) ?? undefined
    },
    async bytes(key) {
      used.reads++
      const found = await namespace.get(key, 'arrayBuffer')
      return found ? new Uint8Array(found) : undefined
    },
    async put(key, value, ttlMs) {
      await putMade(key, async () => ({ value }), ttlMs)
    },
    putMade,
    async delete(key) {
      used.deletes++
      await namespace.delete(key)
    },
    async keys(prefix) {
      const names: string[] = []
      for (let cursor: string | undefined; ;) {
        used.lists++
        const page = await namespace.list({ prefix, ...(cursor !== undefined && { cursor }) })
        names.push(...page.keys.map(({ name }) => name))
        if (page.list_complete || page.cursor === undefined) return names
        cursor = page.cursor
      }
    },
    used: () => ({ ...used }),
  }
}
