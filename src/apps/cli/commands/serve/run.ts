import { serverRoutes } from '../../../server/routes.ts'
import { run } from '../../../server/run.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { variablesOf } from '../../variables.ts'

/** The very server of `npm start`; it goes on after this returns, until a signal. */
export async function runServe({ options, answer }: Call): Promise<ExitCode> {
  const env = {
    ...variablesOf(options),
    ...(options.quiet && { LOG_LEVEL: 'error' }),
  }
  const server = await run({ routes: serverRoutes, env })
  if (!server) return EXIT.wrongUse
  const { url, dataFolder, tokenFile = null } = server
  answer({ url, dataFolder, tokenFile }, () => undefined)
  return EXIT.done
}
