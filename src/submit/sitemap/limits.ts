import { seconds } from '../../core/duration.ts'

/** Of one file, uncompressed: sitemaps.org, "Sitemap file requirements". Further bytes are not read (SPEC S02). */
export const MAX_FILE_BYTES = 52_428_800

/** sitemaps.org. Search engines may ignore what is past it: worth a warning, no reason to leave URLs out. */
export const MAX_URLS_PER_FILE = 50_000

/** SPEC S01. A root is at depth 0. */
export const MAX_DEPTH = 5

/** An index may name this many files (sitemaps.org); a site that names more in all is not a site but a mistake. */
export const MAX_FILES = 50_000

/** RFC 9309 lets a reader of robots.txt stop here; Google does. */
export const MAX_ROBOTS_BYTES = 512_000

/** RFC 9309, 2.3.1.2. */
export const MAX_REDIRECTS = 5

/** SPEC S03. */
export const MAX_RETRIES = 3

/** A `Retry-After` beyond this outlasts the run: the file is left for the next one. */
export const LONGEST_RETRY_AFTER_MS = seconds(60)

/**
 * Of a file's time: after so long it is looked whether the document is complete, again and again; where it is, the server
 * has as long once more to end its answer. Of 30 s it is one.
 */
export const ENDING_SHARE = 1 / 30

/** How many files are read at once. Workers keep at most six connections waiting. */
export const FILES_AT_ONCE = 3

/** How many dropped values are kept to be shown. */
export const MAX_SAMPLES = 1_000

/** Gzip in gzip is a slip that happens; more is an attack. */
export const MAX_GZIP_LAYERS = 2
