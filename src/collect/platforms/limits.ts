import { hours, seconds } from '../../core/duration.ts'

/** SPEC C08: one note, one search. */
export const DETAIL_TIMEOUT_MS = seconds(15)
export const SEARCH_TIMEOUT_MS = seconds(30)

/** The largest pages of the platforms are about 1 MB. */
export const MAX_PAGE_BYTES = 5_000_000
export const MAX_FEED_BYTES = 10_000_000
export const MAX_FEED_ITEMS = 2_000
export const MAX_REDIRECTS = 5

/** RFC 9309: at least 500 KiB are read, and nothing is kept for longer than a day. */
export const MAX_ROBOTS_BYTES = 512 * 1_024
export const ROBOTS_KEPT_MS = hours(1)
export const MAX_ROBOTS_KEPT = 500
/** Of the group that is meant for us. Each is held against each address, character by character where it has a `*`. */
export const MAX_ROBOTS_RULES = 5_000
export const MAX_ROBOTS_RULES_LENGTH = 128 * 1_024

/** Of what a note keeps, so that no page can make a row of any size. */
export const MAX_TITLE_LENGTH = 1_000
export const MAX_TEXT_LENGTH = 200_000
export const MAX_TAGS = 100
export const MAX_MEDIA = 100

/** An embedded state nests some 20 deep. */
export const MAX_LITERAL_DEPTH = 500

export const MAX_IMPORT_LINE_LENGTH = 1_000_000
