import { minutes } from '../core/duration.ts'

/** Wrong tokens from one address within a window; nobody mistypes one so often. */
const MOST_FAILURES = 10
const WINDOW_MS = minutes(5)
/** So that a flood from many addresses does not fill the memory: the oldest is forgotten. */
const MOST_ADDRESSES = 1_000

export interface LoginLimit {
  /** How long an address has to wait; 0 where it may try. */
  waitMs(address: string, now: number): number
  failed(address: string, now: number): void
}

/** Guessing a token is hopeless anyway; this keeps whoever tries from costing anything. Of this process alone. */
export function openLoginLimit(): LoginLimit {
  const windows = new Map<string, { readonly since: number; readonly failures: number }>()
  const current = (address: string, now: number) => {
    const window = windows.get(address)
    return window && now - window.since < WINDOW_MS ? window : undefined
  }
  return {
    waitMs(address, now) {
      const window = current(address, now)
      return window && window.failures >= MOST_FAILURES ? window.since + WINDOW_MS - now : 0
    },
    failed(address, now) {
      const { since, failures } = current(address, now) ?? { since: now, failures: 0 }
      windows.delete(address)
      windows.set(address, { since, failures: failures + 1 })
      for (const oldest of windows.keys()) {
        if (windows.size <= MOST_ADDRESSES) break
        windows.delete(oldest)
      }
    },
  }
}
