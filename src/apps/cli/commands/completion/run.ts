import tab from '@bomb.sh/tab'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'

/** The script asks `sluice complete -- …` at every key: see ../../complete.ts. */
export async function runCompletion({ words }: Call): Promise<ExitCode> {
  tab.setup('sluice', 'sluice', words[0] ?? '')
  return EXIT.done
}
