/** The only source of time: whatever dates, waits or expires takes a Clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Wakes after `ms`, or at once when `signal` aborts: the caller looks at the signal to tell which. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `ring` once when `ms` have passed, unless the returned function was called before. */
  after(ms: number, ring: () => void): () => void
}

export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((wake) => {
      if (signal?.aborted) return wake()
      const done = () => {
        clearTimeout(timer)
        signal?.removeEventListener('abort', done)
        wake()
      }
      const timer = setTimeout(done, ms)
      signal?.addEventListener('abort', done)
    }),
  after: (ms, ring) => {
    const timer = setTimeout(ring, ms)
    return () => clearTimeout(timer)
  },
}
