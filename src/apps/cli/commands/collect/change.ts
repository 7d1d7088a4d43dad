import { askAndPrint } from '../../ask-and-print.ts'
import type { Call } from '../../command.ts'
import type { ExitCode } from '../../exit-codes.ts'
import { counted, knownAlready } from './counted.ts'

interface AddOptions {
  readonly platform: string
  readonly keyword?: string
}

export async function runAddCandidates(call: Call<AddOptions>): Promise<ExitCode> {
  const { platform, keyword } = call.options
  const items = call.words.flat().map((url) => ({
    platform,
    note_url: url,
    ...(keyword !== undefined && { source_keyword: keyword }),
  }))
  return askAndPrint<{ created: number; skipped: number }>(
    call,
    { method: 'POST', path: '/v1/candidates', body: { items } },
    ({ created, skipped }) => call.terminal.print(`${created} added, ${knownAlready(skipped)}.`),
  )
}

interface Recovered {
  readonly executions_timed_out: number
  readonly records_released: number
  readonly records_failed: number
}

export async function runRecover(call: Call): Promise<ExitCode> {
  return askAndPrint<Recovered>(call, { method: 'POST', path: '/v1/recover' }, (recovered) =>
    call.terminal.print(
      `${counted(recovered.executions_timed_out, 'execution')} timed out; ${counted(recovered.records_released, 'note')} to be fetched again, ${recovered.records_failed} failed.`,
    ),
  )
}
