import { days, minutes, seconds } from '../../core/duration.ts'

/** Of one request: whoever waits for the doctor waits for the slowest. */
export const REQUEST_MS = seconds(10)

/** Of one check, whatever it does. */
export const CHECK_MS = seconds(30)

/** Sitemaps of large sites take longer than a request; what is not read by then is said to be. */
export const SITEMAP_MS = seconds(60)

/** Shorter than in a run: whoever asks the doctor wants to know how it is now. */
export const SITEMAP_RETRY_MS = 500

/** Workers keep at most six connections waiting. */
export const ENGINES_AT_ONCE = 4

/** Each of them has several requests under way. */
export const SITES_AT_ONCE = 3

/** An endpoint's page, where it has one, is not read. */
export const MAX_ENGINE_BYTES = 64 * 1024

export const CLOCK_OFF_MS = minutes(5)
export const CLOCK_WRONG_MS = days(1)

/** A site in the east may already write tomorrow's date. */
export const FUTURE_MS = days(1)

const MEGABYTE = 1_048_576
/** A run of a large site writes some ten megabytes at its end. */
export const FULL_BYTES = 16 * MEGABYTE
export const LOW_BYTES = 256 * MEGABYTE

/** Of what a sitemap or robots.txt says, where it is shown. */
export const MOST_SHOWN = 3
