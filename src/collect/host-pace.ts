import type { Clock } from '../core/clock.ts'
import type { Random } from '../core/random.ts'
import { rateLimitPerKey } from '../core/rate-limit.ts'
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
}

/** Up to this part of the interval is waited in addition, so that the requests do not come like a clock's. */
const JITTER = 0.2

export interface HostPaceOptions {
  readonly intervalMs: number
  readonly clock: Clock
  readonly random: Random
}

export function openHostPace({ intervalMs, clock, random }: HostPaceOptions): HostPace {
  const limitOf = rateLimitPerKey({ maxInFlight: 1, intervalMs }, clock)
  const rests = new Map<string, number>()
  const lastAsked = new Map<string, number>()
  const restingFor = (host: string) => Math.max(0, (rests.get(host) ?? 0) - clock.now())

  /** From the request before, not from its turn: that one may have been waited on itself. */
  const waitOn = async (host: string, signal: AbortSignal) => {
    const sinceLast = clock.now() - (lastAsked.get(host) ?? Number.NEGATIVE_INFINITY)
    if (sinceLast >= 2 * intervalMs) return
    const waitMs = Math.max(0, intervalMs - sinceLast) + random.fraction() * JITTER * intervalMs
    // A clock that was set back must not hold the host until it has caught up.
    await clock.sleep(Math.ceil(Math.min(waitMs, 2 * intervalMs)), signal)
  }

  return {
    async turn(host, signal, ask) {
      if (restingFor(host) > 0) return fail({ kind: 'host-resting', forMs: restingFor(host) })
      return limitOf(host).run(async () => {
        await waitOn(host, signal)
        if (signal.aborted) return fail({ kind: 'not-started' as const })
        const forMs = restingFor(host)
        if (forMs > 0) return fail({ kind: 'host-resting' as const, forMs })
        lastAsked.set(host, clock.now())
        return ask()
      }, signal)
    },
    rest(host, forMs) {
      rests.set(host, Math.max(rests.get(host) ?? 0, clock.now() + forMs))
    },
  }
}
