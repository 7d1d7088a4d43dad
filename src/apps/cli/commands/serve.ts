import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

/*
 * Every command is made like this one. This file holds its words only: name, arguments, options, examples. What it does
 * is in a folder of its name, loaded when it is called. A new one is added to the list in ../program.ts.
 */
export function serveCommand(program: Command): void {
  const command = addCommand(program, 'serve', {
    summary: 'run the server, with its API and its schedule',
    examples: [
      ['sluice serve', 'on http://127.0.0.1:8787, its data in ./data'],
      ['PORT=9000 sluice serve --data /var/lib/sluice', 'elsewhere'],
    ],
  })
  does(command, async () => (await import('./serve/run.ts')).runServe)
}
