import { type Command, CommanderError } from 'commander'
import { complain, type Complaint, printComplaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'
import { sluiceProgram } from './program.ts'
import { endOnClosedOutput, openTerminal } from './terminal.ts'
import { withoutKeys } from './without-keys.ts'

/** The command line as a process: words in, exit code out. */
export async function runProgram(words: readonly string[]): Promise<void> {
  endOnClosedOutput()
  if (words[0] === 'complete') return (await import('./complete.ts')).complete(words)
  const program = sluiceProgram()
  try {
    await program.parseAsync(asUsual(words), { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? EXIT.done : refuse(error, words, program)
  }
}

/** `version` is an option, and `help collect add` is the help of a command in a command. */
function asUsual(words: readonly string[]): readonly string[] {
  if (words[0] === 'version') return ['--version']
  return words[0] === 'help' ? [...words.slice(1), '--help'] : words
}

function refuse(error: CommanderError, words: readonly string[], program: Command): number {
  const terminal = openTerminal({ quiet: true })
  const json = words.includes('--json')
  // Without a command there is nothing wrong to speak of: the help has been printed.
  if (error.code === 'commander.help') {
    if (json)
      printComplaint(
        { code: 'no-command', what: 'There is no command.', advice: 'See `sluice --help`.' },
        terminal,
      )
    return EXIT.wrongUse
  }
  const complaint = complaintOf(error, nameOf(program, words))
  return complain(complaint, { terminal, json })
}

function complaintOf({ message, code }: CommanderError, command: string): Complaint {
  const [first = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  const what = withoutValues(first)
  return {
    exit: EXIT.wrongUse,
    code: code.replace('commander.', ''),
    what: `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?]$/.test(what) ? '' : '.'}`,
    advice: `${suggestion.replace(/^\((.*)\)$/, '$1 ')}See \`${command} --help\`.`,
  }
}

/** What is wrong about an option is its name, and about arguments their number; what they hold may be a key. */
function withoutValues(what: string): string {
  return withoutKeys(
    what.replace(/^(unknown option '[^=]*)=[^]*'/, "$1'").replace(/ got (\d+):.*/, ' got $1.'),
  )
}

/** `sluice sites add`, as far as the words name a command. */
function nameOf(command: Command, words: readonly string[]): string {
  const at = words.findIndex((word, n) => !word.startsWith('-') && words[n - 1] !== '--data')
  const next = command.commands.find((candidate) => candidate.name() === words[at])
  return next ? `${command.name()} ${nameOf(next, words.slice(at + 1))}` : command.name()
}
