import { candidateKeyOf } from './candidate-key.ts'
import type { NoteKey } from './candidate-store.ts'

/** Two entries each, for its source and for its candidate: so a row of the outbox stands for 64 at most. */
export const NOTES_PER_OUTBOX_ROW = 32

/** The notes of a completion, by name, row of the outbox by row. */
export function notesByRow(notes: readonly NoteKey[]): readonly (readonly string[])[] {
  const rows: string[][] = []
  for (let from = 0; from < notes.length; from += NOTES_PER_OUTBOX_ROW) {
    rows.push(notes.slice(from, from + NOTES_PER_OUTBOX_ROW).map(candidateKeyOf))
  }
  return rows
}
