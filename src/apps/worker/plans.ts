import { minutes } from '../../core/duration.ts'

/** How much of a run one invocation does. */
export interface Plan {
  /** Requests to the outside after which nothing new is begun. */
  readonly requests: number
  /** What Cloudflare allows, or well below it: nothing goes out past this. */
  readonly mostRequests: number
  /** URLs judged that did not come by before: a measure of CPU, which an invocation cannot read. */
  readonly urls: number
  /** Wall time. An alarm has 15 minutes, and a 429 is waited out for up to one. */
  readonly timeMs: number
}

/**
 * https://developers.cloudflare.com/workers/platform/limits: 50 subrequests on the free plan, 10,000 on the paid one.
 * Local workerd enforces neither, so they are counted here.
 */
export const PLANS = {
  free: { requests: 45, mostRequests: 50, urls: 5_000, timeMs: minutes(5) },
  paid: { requests: 900, mostRequests: 1_000, urls: 100_000, timeMs: minutes(5) },
} as const satisfies Record<string, Plan>
