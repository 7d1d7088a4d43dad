import { minutes } from '../../../core/duration.ts'

/** SPEC B01; Bing itself takes 500. */
export const MAX_URLS_PER_REQUEST = 100

/** SPEC B04; also what is assumed when `auto` gets no answer. */
export const DEFAULT_DAILY_QUOTA = 100

/** SPEC B03: waits after an HTTP 429 that says nothing else. */
export const RATE_LIMIT_RETRIES = 3

/** A throttled account is refused for over an hour, and each call in between starts it anew. */
export const COOL_DOWN_MS = minutes(75)

/** Requests spent on finding unnamed invalid URLs in one batch: one costs at most 14, so this finds a few. */
export const MAX_SEARCH_REQUESTS = 40

/** When two batches in a row are refused for no known reason, it is not the batch that is wrong. */
export const UNEXPLAINED_IN_A_ROW = 2

/** Answers are a few hundred bytes; the list of an account's sites is longer. */
export const MAX_ANSWER_BYTES = 1024 * 1024

/** Of a message that Bing wrote, where it is printed: it may name a hundred URLs. */
export const MAX_MESSAGE_LENGTH = 500
