import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/random.ts'
import { rateLimit, type RateLimit } from '../core/rate-limit.ts'
import { fail, type Result } from '../core/result.ts'
import type { HostResting, NotStarted } from './failures.ts'

/** Hosts are asked one request at a time, slowly, and not at all while they rest (SPEC C20). */
export interface HostPace {
  /** Calls `ask` when the host's turn has come, unless `signal` has aborted by then or the host rests. */
  turn<T, F>(
    host: string,
    signal: AbortSignal,
    ask: () => Promise<Result<T, F>>,
  ): Promise<Result<T, F | NotStarted | HostResting>>
  /** Leaves a host alone for a while. */
  rest(host: string, forMs: number): void
  /** How many hosts anything is known of: for tests, which see by it that none is kept for ever. */
  remembered(): number
}

/** Beyond so many, those that could be asked at once are forgotten: it would make no difference to them. */
const MOST_REMEMBERED = 1_000

/** Up to this part of the interval is waited in addition, so that the requests do not come like a clock's. */
const JITTER = 0.2

export interface HostPaceOptions {
  readonly intervalMs: number
  readonly clock: Clock
  readonly random: Random
}

interface Host {
  readonly limit: RateLimit
  /** Asked for and not over. */
  turns: number
  lastAsked: number
  restsUntil: number
}

export function openHostPace({ intervalMs, clock, random }: HostPaceOptions): HostPace {
  const hosts = new Map<string, Host>()

  const hostOf = (name: string): Host => {
    const known = hosts.get(name)
    if (known) return known
    if (hosts.size >= MOST_REMEMBERED) forgetIdle()
    const limit = rateLimit({ maxInFlight: 1, intervalMs }, clock)
    const made = { limit, turns: 0, lastAsked: Number.NEGATIVE_INFINITY, restsUntil: 0 }
    hosts.set(name, made)
    return made
  }
  const forgetIdle = () => {
    for (const [name, host] of hosts) {
      const isDue = sinceLast(host) >= 2 * intervalMs && restingFor(host) === 0
      if (host.turns === 0 && isDue) hosts.delete(name)
    }
  }
  const restingFor = ({ restsUntil }: Host) => Math.max(0, restsUntil - clock.now())
  const sinceLast = ({ lastAsked }: Host) => clock.now() - lastAsked

  /** From the request before, not from its turn: that one may have been waited on itself. */
  const waitOn = async (host: Host, signal: AbortSignal) => {
    const passed = sinceLast(host)
    if (passed >= 2 * intervalMs) return
    const waitMs = Math.max(0, intervalMs - passed) + random.fraction() * JITTER * intervalMs
    // A clock that was set back must not hold the host until it has caught up.
    await clock.sleep(Math.ceil(Math.min(waitMs, 2 * intervalMs)), signal)
  }

  return {
    async turn(name, signal, ask) {
      const host = hostOf(name)
      if (restingFor(host) > 0) return fail({ kind: 'host-resting', forMs: restingFor(host) })
      host.turns++
      try {
        return await host.limit.run(async () => {
          await waitOn(host, signal)
          if (signal.aborted) return fail({ kind: 'not-started' as const })
          const forMs = restingFor(host)
          if (forMs > 0) return fail({ kind: 'host-resting' as const, forMs })
          host.lastAsked = clock.now()
          return ask()
        }, signal)
      } finally {
        host.turns--
      }
    },
    rest(name, forMs) {
      const host = hostOf(name)
      host.restsUntil = Math.max(host.restsUntil, clock.now() + forMs)
    },
    remembered: () => hosts.size,
  }
}
