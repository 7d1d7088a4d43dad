import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function auditCommand(program: Command): void {
  const command = addCommand(program, 'audit', {
    summary: 'prove that no secret gets out',
    examples: [
      ['sluice audit', 'plants secrets in a folder of its own, and looks for them everywhere'],
      ['sluice audit --data ./data', 'looks for your own, in your own data folder'],
      ['sluice audit --data ./data --log sluice.log', 'and in a log that you kept'],
    ],
  })
    .option('--log <file...>', 'with --data: logs to look through too')
    .addHelpText(
      'after',
      `
Without --data nothing of yours is touched: a server is started in a folder that is thrown away,
with secrets made for this; stand-ins on this machine play the platforms and engines, also their
failures; then everything that was written, answered or logged is searched for each secret, in
clear, in base64, in hex and URL-encoded. It takes about 20 seconds and asks nobody else.

With --data nothing is planted and nothing is changed: the tokens, keys, cookies and webhooks that
the folder and the environment hold are looked for in its files and tables, in the answers made from
them, and in the logs given with --log. The files that hold a key are left out; only their modes are
looked at. IndexNow keys are not looked for: the site itself publishes them.

passed=true and exit code 0, or where each was found, by its name, and exit code 1.`,
    )
  does(command, async () => (await import('./audit/run.ts')).runAudit)
}
