import type { Clock } from './clock.ts'

export interface Pace {
  readonly maxInFlight: number
  /** Least time between two starts. */
  readonly intervalMs: number
}

export interface RateLimit {
  /**
   * Runs `task` when its turn has come; tasks start in the order in which they asked. Where `signal` aborts before,
   * the task is called at once and out of turn: it looks at the signal and says that it did not start.
   */
  run<T>(task: () => Promise<T>, signal?: AbortSignal): Promise<T>
}

/** At most `maxInFlight` at once, their starts at least `intervalMs` apart. */
export function rateLimit({ maxInFlight, intervalMs }: Pace, clock: Clock): RateLimit {
  if (!(maxInFlight >= 1)) throw new RangeError(`maxInFlight is ${maxInFlight}: nothing would run`)
  const waiting: (() => void)[] = []
  let inFlight = 0
  let lastStart = Number.NEGATIVE_INFINITY
  let starting = Promise.resolve()

  /** False for one who gave up before there was a place. */
  const enter = (signal: AbortSignal | undefined): Promise<boolean> =>
    new Promise((entered) => {
      if (signal?.aborted) return entered(false)
      if (inFlight < maxInFlight) {
        inFlight++
        return entered(true)
      }
      const admit = () => {
        signal?.removeEventListener('abort', giveUp)
        entered(true)
      }
      const giveUp = () => {
        waiting.splice(waiting.indexOf(admit), 1)
        entered(false)
      }
      waiting.push(admit)
      signal?.addEventListener('abort', giveUp, { once: true })
    })
  // A place is handed on, not freed and taken again: nobody can slip in between.
  const leave = () => {
    const admit = waiting.shift()
    if (admit) admit()
    else inFlight--
  }
  const waitForStart = async (signal: AbortSignal | undefined) => {
    for (;;) {
      // Who does not start does not make the next one wait.
      if (signal?.aborted) return
      const now = clock.now()
      // A clock that was set back must not hold the queue until it has caught up.
      lastStart = Math.min(lastStart, now)
      const wait = lastStart + intervalMs - now
      if (wait <= 0) break
      // A timer may ring a millisecond early: look again.
      await clock.sleep(wait, signal)
    }
    lastStart = clock.now()
  }
  return {
    async run(task, signal) {
      if (!(await enter(signal))) return task()
      try {
        starting = starting.then(() => waitForStart(signal))
        await starting
        return await task()
      } finally {
        leave()
      }
    },
  }
}
