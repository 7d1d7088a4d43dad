import { type Command, CommanderError } from 'commander'
import { complain, type Complaint } from './complaint.ts'
import { EXIT } from './exit-codes.ts'
import { sluiceProgram } from './program.ts'
import { openTerminal } from './terminal.ts'

/** The command line as a process: words in, exit code out. */
export async function runProgram(words: readonly string[]): Promise<void> {
  if (words[0] === 'complete') return (await import('./complete.ts')).complete(words)
  const program = sluiceProgram()
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error
    process.exitCode = error.exitCode === 0 ? EXIT.done : refuse(error, words, program)
  }
}

function refuse(error: CommanderError, words: readonly string[], program: Command): number {
  // Without a command there is nothing wrong to speak of: the help has been printed.
  if (error.code === 'commander.help') return EXIT.wrongUse
  const terminal = openTerminal({ quiet: true })
  const complaint = complaintOf(error, nameOf(program, words))
  return complain(complaint, { terminal, json: words.includes('--json') })
}

function complaintOf({ message, code }: CommanderError, command: string): Complaint {
  const [what = '', suggestion = ''] = message.replace(/^error: /, '').split('\n')
  return {
    exit: EXIT.wrongUse,
    code: code.replace('commander.', ''),
    what: `${what.charAt(0).toUpperCase()}${what.slice(1)}${/[.?]$/.test(what) ? '' : '.'}`,
    advice: `${suggestion.replace(/^\((.*)\)$/, '$1 ')}See \`${command} --help\`.`,
  }
}

/** `sluice sites add`, as far as the words name a command. */
function nameOf(command: Command, words: readonly string[]): string {
  const next = command.commands.find((candidate) => words.includes(candidate.name()))
  return next ? `${command.name()} ${nameOf(next, words)}` : command.name()
}
