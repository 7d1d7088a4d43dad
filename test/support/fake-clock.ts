import type { Clock } from '../../src/core/clock.ts'

/**
 * Time that moves only when told to, or when someone sleeps: a sleeper wakes at once and takes the time with it.
 * What was set with `after` rings when time moves past it, in order.
 */
export class FakeClock implements Clock {
  #nowMs: number
  #alarms: { at: number; ring: () => void }[] = []
  readonly slept: number[] = []

  constructor(start = '2025-01-15T00:00:00Z') {
    this.#nowMs = Date.parse(start)
  }

  now() {
    return this.#nowMs
  }

  async sleep(ms: number, signal?: AbortSignal) {
    if (signal?.aborted) return
    this.slept.push(ms)
    this.advance(ms)
  }

  after(ms: number, ring: () => void) {
    const alarm = { at: this.#nowMs + ms, ring }
    this.#alarms.push(alarm)
    return () => {
      this.#alarms = this.#alarms.filter((other) => other !== alarm)
    }
  }

  /** How many wait to be rung: none is left behind by what has ended. */
  get waiting() {
    return this.#alarms.length
  }

  /** How many of them wait for no less than this. */
  waitingAtLeast(ms: number) {
    return this.#alarms.filter(({ at }) => at - this.#nowMs >= ms).length
  }

  advance(ms: number) {
    this.#moveTo(this.#nowMs + ms)
  }

  advanceTo(instant: string) {
    this.#moveTo(Date.parse(instant))
  }

  #moveTo(target: number) {
    for (;;) {
      const [next] = this.#alarms.filter(({ at }) => at <= target).sort((a, b) => a.at - b.at)
      if (!next) break
      this.#alarms = this.#alarms.filter((alarm) => alarm !== next)
      this.#nowMs = Math.max(this.#nowMs, next.at)
      next.ring()
    }
    this.#nowMs = target
  }
}
