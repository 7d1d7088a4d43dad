import type { Clock } from './clock.ts'
import type { HttpClient } from './http.ts'

/** From a fast answer on the same continent to one that is about to time out. */
export const DURATION_BOUNDS_MS = [25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000]

/** A sitemap may redirect anywhere; whoever counts by host must not grow with every new one. */
const MOST_HOSTS = 200
const OTHERS = 'other'

/** How long requests to one host took to be answered, by what came of them. */
export interface RequestTimes {
  readonly host: string
  /** An HTTP status, or why there was none. */
  readonly outcome: string
  /** Of each of `DURATION_BOUNDS_MS`: how many took at most as long. */
  readonly atMost: readonly number[]
  readonly sumMs: number
  readonly count: number
}

export interface RequestMeter {
  /** The same client; it counts what it sends. */
  measured(http: HttpClient): HttpClient
  /** Since this process began. */
  times(): readonly RequestTimes[]
}

export function openRequestMeter(clock: Clock): RequestMeter {
  const hosts = new Set<string>()
  const counts = new Map<string, RequestTimes>()
  const note = (url: string, outcome: string, ms: number) => {
    const named = URL.parse(url)?.host ?? OTHERS
    const host = hosts.has(named) || hosts.size < MOST_HOSTS ? named : OTHERS
    hosts.add(host)
    const key = `${host} ${outcome}`
    const before = counts.get(key)
    counts.set(key, {
      host,
      outcome,
      atMost: DURATION_BOUNDS_MS.map(
        (bound, i) => (before?.atMost[i] ?? 0) + (ms <= bound ? 1 : 0),
      ),
      sumMs: (before?.sumMs ?? 0) + ms,
      count: (before?.count ?? 0) + 1,
    })
  }
  return {
    measured: (http) => ({
      async send(request) {
        const startedAt = clock.now()
        const sent = await http.send(request)
        const outcome = sent.ok ? String(sent.value.status) : sent.failure.kind
        note(request.url, outcome, clock.now() - startedAt)
        return sent
      },
    }),
    times: () => [...counts.values()],
  }
}
