import { FakeClock } from './fake-clock.ts'

/** A clock whose sleepers sleep until `pass` lets the time go by: for work that runs side by side. */
export class ManualClock extends FakeClock {
  override sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((wake) => {
      if (signal?.aborted) return wake()
      const cancel = this.after(ms, wake)
      signal?.addEventListener('abort', () => {
        cancel()
        wake()
      })
    })
  }

  /** Lets `ms` go by a millisecond at a time, and everybody who woke do what they can before the next. */
  async pass(ms: number) {
    await everybodyIdle()
    for (let passed = 0; passed < ms; passed++) {
      this.advance(1)
      await everybodyIdle()
    }
  }
}

/** All promises that can go on without time or the outside have gone on. */
function everybodyIdle(): Promise<void> {
  return new Promise((idle) => setImmediate(idle))
}
