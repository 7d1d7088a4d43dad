import type { Kv } from './kv.ts'

/** What a change of a document comes to. Without `after` nothing is written. */
export interface Changed<T, A> {
  readonly after?: T
  readonly answer: A
}

/**
 * Values that change, as JSON with a version. KV may give back what was there a minute ago, so whoever wrote remembers,
 * and of two versions the newer counts: nobody loses a change of their own. Of two who change one at the same moment the
 * later wins: KV has no way to tell them.
 */
export interface Documents {
  read<T extends object>(key: string): Promise<T | undefined>
  /** One change of a key at a time, here. */
  change<T extends object, A>(
    key: string,
    decide: (before: T | undefined) => Changed<T, A> | Promise<Changed<T, A>>,
    ttlMs?: number,
  ): Promise<A>
  remove(key: string): Promise<void>
}

type Versioned = { readonly version: number }

export function openDocuments(kv: Kv): Documents {
  const own = new Map<string, Versioned>()
  const queues = new Map<string, Promise<unknown>>()
  const newest = async (key: string): Promise<Versioned | undefined> => {
    const text = await kv.text(key)
    const stored = text === undefined ? undefined : versioned(JSON.parse(text))
    const mine = own.get(key)
    // Of two with one number the stored one stands: it was written over ours.
    return mine && (!stored || mine.version > stored.version) ? mine : stored
  }
  const inTurn = <A>(key: string, work: () => Promise<A>): Promise<A> => {
    const done = (queues.get(key) ?? Promise.resolve()).then(work, work)
    queues.set(key, done)
    void done.catch(() => undefined)
    return done
  }
  return {
    async read<T extends object>(key: string) {
      return (await newest(key)) as T | undefined
    },
    change: (key, decide, ttlMs) =>
      inTurn(key, async () => {
        const before = await newest(key)
        const { after, answer } = await decide(before as Parameters<typeof decide>[0])
        if (after === undefined) return answer
        const next = { ...after, version: (before?.version ?? 0) + 1 }
        await kv.put(key, JSON.stringify(next), ttlMs)
        own.set(key, next)
        return answer
      }),
    remove: (key) =>
      inTurn(key, async () => {
        own.delete(key)
        await kv.delete(key)
      }),
  }
}

/** One that somebody else wrote has none. */
function versioned(found: object): Versioned {
  return { version: 0, ...found }
}
