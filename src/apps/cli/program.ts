import { Command, InvalidArgumentError } from 'commander'
import { VERSION } from '../version.ts'
import { auditCommand } from './commands/audit.ts'
import { backupCommand } from './commands/backup.ts'
import { collectCommand } from './commands/collect.ts'
import { completionCommand } from './commands/completion.ts'
import { cookiesCommand } from './commands/cookies.ts'
import { doctorCommand } from './commands/doctor.ts'
import { keyCommand } from './commands/key.ts'
import { restoreCommand } from './commands/restore.ts'
import { runCommand } from './commands/run.ts'
import { serveCommand } from './commands/serve.ts'
import { sitemapCommand } from './commands/sitemap.ts'
import { sitesCommand } from './commands/sites.ts'
import { statusCommand } from './commands/status.ts'
import { submitCommand } from './commands/submit.ts'
import { urlCommand } from './commands/url.ts'

/** In the order of the help. */
const COMMANDS = {
  submit: submitCommand,
  serve: serveCommand,
  sites: sitesCommand,
  run: runCommand,
  status: statusCommand,
  url: urlCommand,
  sitemap: sitemapCommand,
  collect: collectCommand,
  cookies: cookiesCommand,
  doctor: doctorCommand,
  key: keyCommand,
  audit: auditCommand,
  backup: backupCommand,
  restore: restoreCommand,
  completion: completionCommand,
} as const

export interface ProgramOptions {
  /** One that somebody else adds. */
  readonly without?: keyof typeof COMMANDS
}

const EXAMPLES = `Examples:
  # Tell the search engines what is new on a site
  INDEXNOW_API_KEY="$KEY" sluice submit https://example.com/sitemap.xml
  # The same, but only show what would be sent
  INDEXNOW_API_KEY="$KEY" sluice submit https://example.com --dry-run
  # The server, which does that every day
  sluice serve
`

/** Every command with its words, and nothing of what it does. */
export function sluiceProgram({ without }: ProgramOptions = {}): Command {
  const program = new Command('sluice')
    .description(
      "Submits a site's pages to search engines and collects notes from platforms, within everybody's limits.",
    )
    .version(VERSION, '-V, --version', 'print the version')
    .option('--json', 'one JSON document on stdout')
    .option(
      '--data <folder>',
      'folder of the store, the token and the keys (default: SLUICE_DATA or ./data)',
      namedFolder,
    )
    .option('--quiet', 'nothing but what was asked for, and errors')
    .helpOption('-h, --help', 'show this')
    .helpCommand('help [command]', 'show the help of a command')
    .addHelpText('before', EXAMPLES)
    .addHelpText(
      'after',
      '\n`sluice <command> --help` tells more of each. All settings are environment variables: docs/operations.md.',
    )
    .configureHelp({ showGlobalOptions: true })
    .exitOverride()
    // Told by run-program.ts, in our words.
    .configureOutput({ outputError: () => undefined })
  for (const [name, add] of Object.entries(COMMANDS)) if (name !== without) add(program)
  return program
}

/** An empty one is a variable that was not set, and would be taken for the default. */
function namedFolder(folder: string): string {
  if (folder === '') throw new InvalidArgumentError('It names no folder.')
  return folder
}
