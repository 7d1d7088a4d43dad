import { createReadStream } from 'node:fs'
import { createInterface } from 'node:readline'
import { dataOf } from '../../ask-and-print.ts'
import type { Call } from '../../command.ts'
import { openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openToWork } from '../../place.ts'

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
  const place = await openToWork(env.value)
  if (!place.ok) return call.refuse(place.failure)
  const total = { notes_created: 0, notes_skipped: 0, candidates_created: 0, candidates_skipped: 0 }
  const errors: Imported['errors'][number][] = []
  let before = 0
  try {
    for await (const lines of inParts(call.words[0] ?? '-')) {
      const answered = await place.value.ask('POST', '/v1/import', { lines })
      if (!answered.ok) return call.refuse(answered.failure)
      const { errors: found, ...counts } = dataOf<Imported>(answered.value)
      for (const name of Object.keys(total) as (keyof typeof total)[]) total[name] += counts[name]
      errors.push(...found.map(({ line, why }) => ({ line: before + line, why })))
      before += lines.length
    }
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && 'path' in error)) throw error
    return call.refuse({
      exit: EXIT.wrongUse,
      code: 'file-unreadable',
      what: `${call.words[0]} cannot be read (${String(error.code)}).`,
      advice: 'Check its name, or give - to read from stdin.',
    })
  } finally {
    await place.value.close()
  }
  call.answer({ ...total, errors }, () => {
    call.terminal.print(
      `${total.notes_created} notes written, ${total.candidates_created} to be fetched; ${total.notes_skipped + total.candidates_skipped} were known already.`,
    )
    for (const { line, why } of errors) call.terminal.complain(`line ${line}: ${why}`)
  })
  return errors.length === 0 ? EXIT.done : EXIT.failed
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
