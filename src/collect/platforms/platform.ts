import type { Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import type { Note } from '../note.ts'
import type { PlatformFailure } from './failures.ts'

export const PLATFORM_NAMES = ['page', 'feed', 'import', 'xhs', 'weibo'] as const
export type PlatformName = (typeof PLATFORM_NAMES)[number]

/** What every request to a platform carries along. */
interface Ask {
  /** Sent to the platform's own host and to no other. */
  readonly cookie?: Secret | undefined
  readonly signal: AbortSignal
  /** `x-request-id` and `traceparent`, to be passed on. */
  readonly headers: Readonly<Record<string, string>>
}

export interface DetailAsk extends Ask {
  /** Under which the note is remembered; where the URL names one too, they must be the same. */
  readonly noteId: string
  readonly url: string
}

export interface SearchAsk extends Ask {
  readonly keyword?: string | undefined
  /** A place that lists notes: a feed. */
  readonly sourceUrl?: string | undefined
  /** From 1. */
  readonly page: number
  readonly limit: number
}

/** A note that is known to be there: enough to make it a candidate. */
export interface FoundNote {
  readonly platform: PlatformName
  readonly noteId: string
  /** What `detail` takes. */
  readonly url: string
  readonly title: string
  /** Where people find it, where that is somewhere else than `url`. */
  readonly link: string | undefined
  readonly publishedAt: number | undefined
}

/**
 * A place that notes come from. It says what it can do; what it cannot is answered as `unsupported`, at once and
 * without a request. Each call sends at most one request for content (and one for robots.txt where that is asked
 * first), retries nothing and waits for nobody: pace, deadline and cookies are the caller's.
 */
export interface Platform {
  readonly name: PlatformName
  readonly can: { readonly detail: boolean; readonly search: boolean }
  /** `required`: without one, nothing is asked. */
  readonly cookie: 'required' | 'optional' | 'none'
  /** Whether `detail` would ask this URL. */
  accepts(url: string): boolean
  /** The id under which a URL's note is to be remembered, where the URL alone tells it. */
  noteIdOf(url: string): string | undefined
  /** The host that is asked about a URL. All that leads there waits in one line, however its address is written. */
  hostOf(url: string): string
  detail(ask: DetailAsk): Promise<Result<Note, PlatformFailure>>
  search(ask: SearchAsk): Promise<Result<readonly FoundNote[], PlatformFailure>>
}
