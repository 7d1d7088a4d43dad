import { ok, type Result } from '../core/result.ts'
import type { CandidateStore, NoteKey } from '../stores/candidate-store.ts'
import type { ExecutionTaken } from '../stores/execution-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import { type ExecutionsOptions, startExecution } from './executions.ts'
import { wireNote } from './note.ts'
import type { ImportedLine } from './platforms/import/read-lines.ts'

/** The lock of imports: one at a time. */
export const IMPORT_WORKFLOW = 'import'

/** What reads lines, with the platforms that are on. */
export type ReadLines = (lines: readonly string[]) => AsyncIterable<ImportedLine>

export interface Importing extends ExecutionsOptions {
  readonly candidates: CandidateStore
  readonly readLines: ReadLines
}

export interface Imported {
  readonly notes: { readonly created: number; readonly skipped: number }
  readonly candidates: { readonly created: number; readonly skipped: number }
  readonly errors: readonly { readonly line: number; readonly why: string }[]
}

type LineOf<Kind extends ImportedLine['kind']> = Extract<ImportedLine, { kind: Kind }>

/** Takes over notes that somebody brings, by the way of all others: candidate, lock, write once. */
export async function importNotes(
  importing: Importing,
  lines: readonly string[],
  origin: Origin,
): Promise<Result<Imported, ExecutionTaken>> {
  const read: ImportedLine[] = []
  for await (const line of importing.readLines(lines)) read.push(line)
  const of = <Kind extends ImportedLine['kind']>(kind: Kind) =>
    read.filter((line): line is LineOf<Kind> => line.kind === kind)
  const candidates = await importing.candidates.add(
    of('candidate').map(({ candidate }) => candidate),
    origin,
  )
  const errors = of('error').map(({ line, why }) => ({ line, why }))
  const given = of('note')
  if (given.length === 0) return ok({ candidates, notes: { created: 0, skipped: 0 }, errors })
  const written = await writeNotes(importing, given, origin)
  if (!written.ok) return written
  const held = new Set(written.value.notHeld)
  const missed = given
    .filter(({ note }) => held.has(nameOf(note)))
    .map(({ line }) => ({ line, why: 'the note is being fetched at this moment; import it again' }))
  return ok({ candidates, notes: written.value, errors: [...errors, ...missed] })
}

async function writeNotes(
  importing: Importing,
  given: readonly LineOf<'note'>[],
  origin: Origin,
): Promise<
  Result<{ created: number; skipped: number; notHeld: readonly string[] }, ExecutionTaken>
> {
  const { candidates, executions } = importing
  const notes = given.map(({ note }) => note)
  const started = await startExecution(importing, IMPORT_WORKFLOW, origin)
  if (!started.ok) return started
  const { executionId } = started.value
  try {
    await candidates.add(
      notes.map(({ platform, noteId, canonicalUrl }) => ({
        platform,
        noteId,
        noteUrl: canonicalUrl,
      })),
      origin,
    )
    await candidates.claimThese(executionId, notes, origin)
    const collected = notes.map((note) => ({
      platform: note.platform,
      noteId: note.noteId,
      note: wireNote(note),
    }))
    const written = await candidates.complete(executionId, collected, origin)
    // A lock that was lost by now wrote nothing: all of them are to be brought again.
    const items = written.ok
      ? written.value
      : collected.map((note) => ({ ...note, action: 'not-held' as const }))
    const count = (action: string) => items.filter((item) => item.action === action).length
    const notHeld = items.filter(({ action }) => action === 'not-held').map(nameOf)
    return ok({ created: count('created'), skipped: count('skipped'), notHeld })
  } finally {
    await executions.finish(executionId, 'completed', origin)
  }
}

const nameOf = ({ platform, noteId }: NoteKey) => `${platform}:${noteId}`
