/** https://www.indexnow.org/documentation: "up to 10,000 URLs per post". */
export const MAX_URLS_PER_POST = 10_000

/** SPEC S22: `auto` sends up to this many one by one. */
export const AUTO_GET_UP_TO = 100

/** SPEC S25: how many single requests make one batch in the log. */
export const GET_BATCH = 100

/** Answers are a few hundred bytes; a longer one is not from an IndexNow endpoint. */
export const MAX_ANSWER_BYTES = 64 * 1024

/** A key file holds 128 characters at most; a page of HTML in its place is longer. */
export const MAX_KEY_FILE_BYTES = 16 * 1024

/** After so many requests in a row, each with all its retries, the engine is down: the rest waits for the next run. */
export const UNAVAILABLE_IN_A_ROW = 3

/** Requests spent on finding the bad URLs of one batch: enough for about 50 of them anywhere in it. */
export const MAX_SEARCH_REQUESTS = 1_000

/** The same while the engine has accepted nothing in this run: then it is hardly the URLs that are wrong. */
export const MAX_FRUITLESS_REQUESTS = 60

/** For the same reason the run is over for an engine that has rejected more than this and accepted nothing. */
export const MAX_FRUITLESS_REJECTIONS = 8
