import { minutes } from '../../core/duration.ts'

/** SPEC C10, from the founding document; how long a cookie rests is a setting. */
export const COOKIE_LIMITS = {
  consecutiveErrors: 3,
  totalErrors: 10,
} as const

/** A probe that is not heard of any more (its server died) is made again after this. */
export const PROBE_MS = minutes(2)

/** For a cookie that was added without saying: little enough to look like a person. */
export const USUAL_COOKIE = { priority: 0, dailyLimit: 100 } as const
