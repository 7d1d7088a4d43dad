import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function backupCommand(program: Command): void {
  const command = addCommand(program, 'backup', {
    summary: 'copy everything remembered into one file, also while a server runs',
    examples: [
      ['sluice backup sluice-monday.db', 'without the keys, which belong to another place'],
      [
        'sluice backup everything.db --with-keys',
        'all that is needed; keep it as safe as a password',
      ],
    ],
  })
    .argument('<file>', 'the file to write; one that is there is not overwritten')
    .option('--with-keys', 'put the keys of the data folder in too: master-key, author-key')
  does(command, async () => (await import('./backup/run.ts')).runBackup)
}
