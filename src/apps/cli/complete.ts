import completeCommands from '@bomb.sh/tab/commander'
import { sluiceProgram } from './program.ts'

/** What a shell may offer next, for the script of `sluice completion`. */
export async function complete(words: readonly string[]): Promise<void> {
  const program = sluiceProgram({ without: 'completion' })
  completeCommands(program, { completionCommandName: 'completion' })
  await program.parseAsync(words, { from: 'user' })
}
