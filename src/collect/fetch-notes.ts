import type { Clock } from '../core/clock.ts'
import { mapWithConcurrency } from '../core/concurrency.ts'
import { fail, type Result } from '../core/result.ts'
import type { Caller } from './caller.ts'
import { type Asked, askPlatform, type AskFailure, type AskingPlatform } from './ask-platform.ts'
import { withDeadline } from './deadline.ts'
import { DEADLINES, NOTES_AT_ONCE } from './limits.ts'
import type { Note } from './note.ts'
import type { FoundNote, Platform, SearchAsk } from './platforms/platform.ts'

export interface NoteAsk {
  readonly platform: Platform
  readonly noteId: string
  readonly url: string
}

export interface Fetching extends AskingPlatform {
  readonly clock: Clock
}

/** Who asks, and what ends the asking early. */
export interface FetchFor {
  readonly caller: Caller
  readonly signal?: AbortSignal | undefined
}

interface FetchEach extends FetchFor {
  /** As soon as one is there, whatever the others do. */
  readonly onFetched?: (note: FetchedNote) => Promise<void>
}

export interface FetchedNote extends Asked<Note>, Pick<NoteAsk, 'noteId'> {
  readonly platform: string
  /** Who was asked. */
  readonly host: string
}

/**
 * Fetches notes, a few at a time, within one deadline for all of them (SPEC C08): what did not start in time says
 * so, and may be asked for again. In the order of `asks`.
 */
export function fetchNotes(
  fetching: Fetching,
  asks: readonly NoteAsk[],
  { caller, signal: outer, onFetched }: FetchEach,
): Promise<readonly FetchedNote[]> {
  const ms = asks.length === 1 ? DEADLINES.oneNoteMs : DEADLINES.batchMs
  return withDeadline({ clock: fetching.clock, ms, outer }, (signal) =>
    mapWithConcurrency(asks, NOTES_AT_ONCE, async ({ platform, noteId, url }) => {
      const { headers } = caller
      const host = platform.hostOf(url)
      const asked = await askPlatform(fetching, {
        platform,
        host,
        signal,
        caller,
        ask: (cookie) => platform.detail({ noteId, url, cookie, signal, headers }),
      })
      const fetched = { ...inTime(asked, ms, outer), noteId, platform: platform.name, host }
      await onFetched?.(fetched)
      return fetched
    }),
  )
}

export type NoteSearch = Pick<SearchAsk, 'keyword' | 'sourceUrl' | 'page' | 'limit'>

export function searchNotes(
  fetching: Fetching,
  { platform, ...search }: NoteSearch & { readonly platform: Platform },
  { caller, signal: outer }: FetchFor,
): Promise<Asked<readonly FoundNote[]>> {
  const ms = DEADLINES.searchMs
  return withDeadline({ clock: fetching.clock, ms, outer }, async (signal) => {
    // What it cannot do, it says without a request: no turn is waited for and no cookie used.
    if (!platform.can.search) {
      const { headers } = caller
      return {
        result: await platform.search({ ...search, signal, headers }),
        cookieUsed: undefined,
      }
    }
    const asked = await askPlatform(fetching, {
      platform,
      host: platform.hostOf(search.sourceUrl ?? ''),
      signal,
      caller,
      ask: (cookie) => platform.search({ ...search, cookie, signal, headers: caller.headers }),
    })
    return inTime(asked, ms, outer)
  })
}

/** What the deadline stopped in the middle has timed out; what the caller stopped was stopped. */
function inTime<T>(asked: Asked<T>, afterMs: number, outer: AbortSignal | undefined): Asked<T> {
  const result: Result<T, AskFailure> = asked.result
  if (result.ok || result.failure.kind !== 'stopped' || outer?.aborted) return asked
  return { ...asked, result: fail({ kind: 'timed-out', afterMs }) }
}
