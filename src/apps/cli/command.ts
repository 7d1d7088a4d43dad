import type { Command } from 'commander'
import { complain, type Complaint } from './complaint.ts'
import type { ExitCode } from './exit-codes.ts'
import { openTerminal, type Terminal } from './terminal.ts'

/** The options that every command has. */
export interface GlobalOptions {
  readonly json?: true
  readonly data?: string
  readonly quiet?: true
}

/** A command as it was called. */
export interface Call<Options = unknown> {
  /** The arguments in their order; of a repeated one (`[urls...]`) the list. Left out ones are undefined. */
  readonly words: readonly (string | undefined)[]
  readonly options: GlobalOptions & Options
  readonly terminal: Terminal
  /** The one document of `--json`; without it `people` writes for people instead. */
  answer(document: unknown, people: () => void): void
  /** Says what is wrong and gives the exit code to end with. */
  refuse(complaint: Complaint): ExitCode
}

export type Body<Options> = (call: Call<Options>) => Promise<ExitCode>

export type Example = readonly [command: string, meaning: string]

export interface CommandWords {
  readonly summary: string
  readonly examples: readonly Example[]
}

/** A command with its words; its arguments and options are added to what this returns. */
export function addCommand(
  parent: Command,
  nameAndArguments: string,
  { summary, examples }: CommandWords,
): Command {
  return parent
    .command(nameAndArguments)
    .description(summary)
    .addHelpText('before', () => describeExamples(examples))
}

/**
 * What a command does, loaded when it is called and not before: `sluice --help` must not wait for a database.
 * `load` is `async () => (await import('./name/run.ts')).runName`.
 */
export function does<Options>(command: Command, load: () => Promise<Body<Options>>): void {
  command.action(async () => {
    const options = command.optsWithGlobals<GlobalOptions & Options>()
    const words: readonly (string | undefined)[] = command.processedArgs
    const run = await load()
    process.exitCode = await run(openCall(words, options))
  })
}

function openCall<Options>(
  words: readonly (string | undefined)[],
  options: GlobalOptions & Options,
): Call<Options> {
  const terminal = openTerminal({ quiet: options.quiet === true })
  const json = options.json === true
  return {
    words,
    options,
    terminal,
    answer(document, people) {
      if (json) terminal.print(JSON.stringify(document, undefined, 2))
      else people()
    },
    refuse: (complaint) => complain(complaint, { terminal, json }),
  }
}

function describeExamples(examples: readonly Example[]): string {
  const lines = examples.map(([command, meaning]) => `  # ${meaning}\n  ${command}`)
  return `Examples:\n${lines.join('\n')}\n`
}
