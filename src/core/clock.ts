/** The only source of time: whatever dates, waits or expires takes a Clock. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Wakes after `ms`, or at once when `signal` aborts: the caller looks at the signal to tell which. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>
  /** Calls `ring` once when `ms` have passed, unless the returned function was called before. */
  after(ms: number, ring: () => void): () => void
}

// Past this `setTimeout` overflows and rings at once. Nothing here waits 24 days: early is harmless, at once is not.
const LONGEST_TIMER_MS = 2 ** 31 - 1

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
      const timer = setTimeout(done, Math.min(ms, LONGEST_TIMER_MS))
      signal?.addEventListener('abort', done)
    }),
  after: (ms, ring) => {
    const timer = setTimeout(ring, Math.min(ms, LONGEST_TIMER_MS))
    return () => clearTimeout(timer)
  },
}
