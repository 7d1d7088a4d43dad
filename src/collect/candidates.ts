import { fail, ok, type Result } from '../core/result.ts'
import type { CandidateStore, NewCandidate } from '../stores/candidate-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import type { NoteIdDiffers, PlatformOff, PlatformUnknown, UrlNotAccepted } from './failures.ts'
import { PLATFORM_NAMES, type Platform } from './platforms/platform.ts'

/** The platforms that are on, by name. */
export interface Platforms {
  get(name: string): Platform | undefined
}

export function choosePlatform(
  platforms: Platforms,
  name: string,
): Result<Platform, PlatformUnknown | PlatformOff> {
  const platform = platforms.get(name)
  if (platform) return ok(platform)
  const isKnown = PLATFORM_NAMES.some((known) => known === name)
  return fail({ kind: isKnown ? 'platform-off' : 'platform-unknown', platform: name })
}

export interface NamedNote {
  /** How the caller knows it, for what it is told: `items[3]`. */
  readonly item: string
  readonly platform: string
  readonly noteId: string
  readonly url: string
}

export type NoteRefused = PlatformUnknown | PlatformOff | UrlNotAccepted | NoteIdDiffers

/** The platform of a note, once it is sure that its address is one of that platform's and of that note. */
export function platformOf(platforms: Platforms, note: NamedNote): Result<Platform, NoteRefused> {
  const { item, platform: name, noteId, url } = note
  const platform = choosePlatform(platforms, name)
  if (!platform.ok) return platform
  if (!platform.value.accepts(url)) return fail({ kind: 'url-not-accepted', item, platform: name })
  const named = platform.value.noteIdOf(url)
  if (noteId === '') return fail({ kind: 'url-not-accepted', item, platform: name })
  if (named !== undefined && named !== noteId) return fail({ kind: 'note-id-differs', item, named })
  return platform
}

/** Adds all of them or, when one cannot be, none. */
export async function addCandidates(
  { candidates, platforms }: { candidates: CandidateStore; platforms: Platforms },
  given: readonly NewCandidate[],
  origin: Origin,
): Promise<Result<{ readonly created: number; readonly skipped: number }, NoteRefused>> {
  for (const [number, { platform, noteId, noteUrl }] of given.entries()) {
    const note = { item: `items[${number}]`, platform, noteId, url: noteUrl }
    const known = platformOf(platforms, note)
    if (!known.ok) return known
  }
  return ok(await candidates.add(given, origin))
}
