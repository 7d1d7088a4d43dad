import type { Kv } from './kv.ts'

/** What a change of a document comes to. Without `after` nothing is written. */
export interface Changed<T, A> {
  readonly after?: T
  readonly answer: A
}

/**
 * Values that change, as JSON with a version. KV may give back what was there a minute ago, so whoever wrote remembers,
 * and of two versions the newer counts: nobody loses a change of their own. Of two who change one at the same moment KV
 * may refuse the later, which then decides again on what the other wrote; where it refuses none, the later wins.
 */
export interface Documents {
  read<T extends object>(key: string): Promise<T | undefined>
  /** One change of a key at a time, here. `decide` is called again when somebody else has written before us. */
  change<T extends object, A>(
    key: string,
    decide: (before: T | undefined) => Changed<T, A> | Promise<Changed<T, A>>,
    ttlMs?: number,
  ): Promise<A>
  remove(key: string): Promise<void>
}

type Versioned = { readonly version: number }

interface Decided<A> {
  readonly before: Versioned | undefined
  readonly answer: A
  readonly next?: Versioned
  readonly value?: string
}

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
        type A = Awaited<ReturnType<typeof decide>>['answer']
        const made = await kv.putMade<Decided<A>>(
          key,
          async (last) => {
            const before = await newest(key)
            // To decide may write much itself: not for nothing.
            if (last && isSame(last.before, before)) return last
            const { after, answer } = await decide(before as Parameters<typeof decide>[0])
            if (after === undefined) return { before, answer }
            const next = { ...after, version: (before?.version ?? 0) + 1 }
            return { before, answer, next, value: JSON.stringify(next) }
          },
          ttlMs,
        )
        if (made.next) own.set(key, made.next)
        return made.answer
      }),
    remove: (key) =>
      inTurn(key, async () => {
        own.delete(key)
        await kv.delete(key)
      }),
  }
}

function isSame(one: Versioned | undefined, other: Versioned | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other)
}

/** One that somebody else wrote has none. */
function versioned(found: object): Versioned {
  return { version: 0, ...found }
}
