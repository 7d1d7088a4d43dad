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

export interface SourceStore {
  /** In the order in which they were written, those after `position` (0: from the first). */
  since(position: number, limit: number): Promise<readonly SourceRecord[]>
  get(key: NoteKey): Promise<SourceRecord | undefined>
}

/** SPEC C02: what makes writing twice writing once, also in the mirror. */
export function idempotencyKeyOf({ platform, noteId }: NoteKey): string {
  return platform === 'xhs' ? `${noteId}_v1` : `${platform}_${noteId}_v1`
}
