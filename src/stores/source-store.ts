import type { JsonObject } from '../core/json.ts'
import type { NoteKey } from './candidate-store.ts'

/** A collected note. It is written once, by `CandidateStore.complete`, and never changed. */
export interface SourceRecord extends NoteKey {
  /** Grows with every record: the place to read on from. */
  readonly position: number
  readonly idempotencyKey: string
  readonly note: JsonObject
  readonly createdAt: number
  readonly retryCount: number
  readonly execMeta: JsonObject
}

/** What is looked for among the collected notes. */
export interface SourceSearch {
  /** A part of the title or of the keyword it was found by; or the whole of the author's hash or the note's id. */
  readonly text?: string | undefined
  readonly platform?: string | undefined
  /** Those written before this position alone: what `next` said. */
  readonly before?: number | undefined
  readonly limit: number
}

export interface FoundSource extends SourceRecord {
  /** What its candidate was found by. */
  readonly sourceKeyword: string | undefined
}

export interface FoundSources {
  /** Newest first. */
  readonly sources: readonly FoundSource[]
  /** Where to look on; undefined once all were looked at. */
  readonly next: number | undefined
}

/** Of one search: titles stand in no index, and nobody's server is to stand still for a question. */
export const SOURCES_LOOKED_AT = 20_000

export interface SourceStore {
  /** In the order in which they were written, those after `position` (0: from the first). */
  since(position: number, limit: number): Promise<readonly SourceRecord[]>
  get(key: NoteKey): Promise<SourceRecord | undefined>
  /** Looks at the newest `SOURCES_LOOKED_AT` that are left: an empty page may have a `next`. */
  search(ask: SourceSearch): Promise<FoundSources>
}

/** SPEC C02: what makes writing twice writing once, also in the mirror. */
export function idempotencyKeyOf({ platform, noteId }: NoteKey): string {
  return platform === 'xhs' ? `${noteId}_v1` : `${platform}_${noteId}_v1`
}

/** The positions that one search looks at: above the first, below the second. */
export function searchedPositions({ before }: SourceSearch, newest: number): [number, number] {
  const end = Math.min(before ?? newest + 1, newest + 1)
  return [Math.max(0, end - 1 - SOURCES_LOOKED_AT), end]
}

export function foundSources(
  sources: readonly FoundSource[],
  { limit }: SourceSearch,
  after: number,
): FoundSources {
  const last = sources.length === limit ? sources.at(-1) : undefined
  const next = last?.position ?? after + 1
  return { sources, next: next > 1 ? next : undefined }
}

/** For `like`, escaped by a backslash: what was asked for, somewhere. */
export function likePattern(text: string): string {
  return `%${text.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`
}
