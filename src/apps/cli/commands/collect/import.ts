import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { fail, ok, type Result } from '../../../../core/result.ts'
import { dataOf } from '../../ask-and-print.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openToWork, type Place } from '../../place.ts'
import { counted, knownAlready } from './counted.ts'

interface Imported {
  readonly notes_created: number
  readonly notes_skipped: number
  readonly candidates_created: number
  readonly candidates_skipped: number
  readonly errors: readonly { readonly line: number; readonly why: string }[]
}

const LINES_PER_REQUEST = 100

export async function runImport(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const file = call.words[0] ?? '-'
  return atPlace(call, await openToWork(env.value), async (place) => {
    const imported = await importFile(file, place)
    if (!imported.ok) return imported
    const { errors, ...total } = imported.value
    call.answer({ ...total, errors }, () => {
      const { notes_created: written, candidates_created: added } = total
      const known = total.notes_skipped + total.candidates_skipped
      call.terminal.print(
        `${counted(written, 'note')} written, ${added} to be fetched; ${knownAlready(known)}.`,
      )
      for (const { line, why } of errors) call.terminal.complain(`line ${line}: ${why}`)
    })
    return ok(errors.length === 0 ? EXIT.done : EXIT.failed)
  })
}

async function importFile(file: string, place: Place): Promise<Result<Imported, Complaint>> {
  const total = { notes_created: 0, notes_skipped: 0, candidates_created: 0, candidates_skipped: 0 }
  const errors: Imported['errors'][number][] = []
  let before = 0
  try {
    for await (const lines of inParts(file)) {
      const answered = await place.ask('POST', '/v1/import', { lines })
      if (!answered.ok) return answered
      const { errors: found, ...counts } = dataOf<Imported>(answered.value)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name]
      errors.push(...found.map(({ line, why }) => ({ line: before + line, why })))
      before += lines.length
    }
  } catch (error) {
    // Reading a folder fails without a path: only opening a file knows one.
    if (!(error instanceof Error && 'code' in error && 'syscall' in error)) throw error
    return fail({
      exit: EXIT.wrongUse,
      code: 'file-unreadable',
      what: `${file} cannot be read (${String(error.code)}).`,
      advice: 'Check its name, or give - to read from stdin.',
    })
  }
  return ok({ ...total, errors })
}

async function* inParts(file: string): AsyncGenerator<string[]> {
  const input = file === '-' ? process.stdin : createReadStream(file)
  let part: string[] = []
  // The reader of lines alone does not pass on what goes wrong with its file.
  const failed = new Promise<never>((_, reject) => input.once('error', reject))
  failed.catch(() => undefined)
  const lines = createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })[
    Symbol.asyncIterator
  ]()
  for (;;) {
    const next = await Promise.race([lines.next(), failed])
    if (next.done) break
    part.push(next.value)
    if (part.length < LINES_PER_REQUEST) continue
    yield part
    part = []
  }
  if (part.length > 0) yield part
}
