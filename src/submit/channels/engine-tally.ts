import type { ChannelReport, Settled, StopReason } from './channel.ts'

/** The numbers of one engine while it is sent to. */
export interface EngineTally {
  settled(settled: Settled): void
  /** One that was answered, or given up; 0 where there was no answer. */
  request(ms: number, statusCode: number): void
  /** Said once, however often it happens. */
  error(message: string): void
  warning(message: string): void
  report(stopped: StopReason | undefined): ChannelReport
}

export function openEngineTally(engine: string, total: number): EngineTally {
  const counts = { accepted: 0, pending: 0, failed: 0, rejected: 0 }
  const errors = new Set<string>()
  const warnings = new Set<string>()
  let requests = 0
  let spentMs = 0
  let rateLimited = 0
  return {
    settled({ urls, state }) {
      counts[state] += urls.length
    },
    request(ms, statusCode) {
      requests++
      spentMs += ms
      if (statusCode === 429) rateLimited++
    },
    error: (message) => void errors.add(message),
    warning: (message) => void warnings.add(message),
    report(stopped) {
      const successful = counts.accepted + counts.pending
      const failed = counts.failed + counts.rejected
      return {
        engine,
        total,
        successful,
        pending: counts.pending,
        failed,
        left: total - successful - failed,
        requests,
        rateLimited,
        averageMs: requests === 0 ? 0 : Math.round(spentMs / requests),
        stopped,
        errors: [...errors],
        warnings: [...warnings],
      }
    },
  }
}
