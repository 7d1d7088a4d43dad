import { ok, type Result } from '../core/result.ts'
import type { CandidateStore, NoteKey } from '../stores/candidate-store.ts'
import type { ExecutionTaken } from '../stores/execution-store.ts'
import type { Origin } from '../stores/outbox-store.ts'
import type { Caller } from './caller.ts'
import { type ExecutionsOptions, startExecution, withExecution } from './executions.ts'
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

/** The advice holds as well for what a lost lock kept from being written. */
const BEING_FETCHED = 'the note is being fetched at this moment; import it again'

type LineOf<Kind extends ImportedLine['kind']> = Extract<ImportedLine, { kind: Kind }>

/** Takes over notes that somebody brings, by the way of all others: candidate, lock, write once. */
export async function importNotes(
  importing: Importing,
  lines: readonly string[],
  caller: Caller,
): Promise<Result<Imported, ExecutionTaken>> {
  const read: ImportedLine[] = []
  for await (const line of importing.readLines(lines)) read.push(line)
  const of = <Kind extends ImportedLine['kind']>(kind: Kind) =>
    read.filter((line): line is LineOf<Kind> => line.kind === kind)
  const found = of('candidate').map(({ candidate }) => candidate)
  const addFound = () => importing.candidates.add(found, caller)
  const errors = of('error').map(({ line, why }) => ({ line, why }))
  const given = of('note')
  if (given.length === 0) {
    return ok({ candidates: await addFound(), notes: { created: 0, skipped: 0 }, errors })
  }
  // The lock comes first: who is refused is to know that nothing was done.
  const started = await startExecution(importing, IMPORT_WORKFLOW, caller)
  if (!started.ok) return started
  const { executionId } = started.value
  const running = { executions: importing.executions, executionId, caller }
  return withExecution(running, async () => {
    const candidates = await addFound()
    const { notHeld, ...notes } = await writeNotes(importing, executionId, given, caller)
    const missed = given
      .filter(({ note }) => notHeld.has(nameOf(note)))
      .map(({ line }) => ({ line, why: BEING_FETCHED }))
    return ok({ candidates, notes, errors: [...errors, ...missed] })
  })
}

interface Written {
  readonly created: number
  readonly skipped: number
  /** Their names. */
  readonly notHeld: ReadonlySet<string>
}

async function writeNotes(
  { candidates }: Importing,
  executionId: string,
  given: readonly LineOf<'note'>[],
  origin: Origin,
): Promise<Written> {
  const notes = given.map(({ note }) => note)
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
  const notHeld = new Set(items.filter(({ action }) => action === 'not-held').map(nameOf))
  return { created: count('created'), skipped: count('skipped'), notHeld }
}

const nameOf = ({ platform, noteId }: NoteKey) => `${platform}:${noteId}`
