import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function restoreCommand(program: Command): void {
  const command = addCommand(program, 'restore', {
    summary: 'put a backup in the place of the store, or go back to an older version of it',
    examples: [
      ['sluice restore sluice-monday.db', 'into a folder without a store'],
      ['sluice restore sluice-monday.db --replace', 'the store that is there stays beside'],
      [
        'sluice backup now.db && sluice restore now.db --replace --to-version 1',
        'before an older Sluice is installed again: its schema',
      ],
    ],
  })
    .argument('<file>', 'made by `sluice backup`')
    .option('--replace', 'where there is a store already: keep it beside, under another name')
    .option('--to-version <schema>', 'take the schema down to this number')
  does(command, async () => (await import('./restore/run.ts')).runRestore)
}
