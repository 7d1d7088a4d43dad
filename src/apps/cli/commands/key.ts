import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function keyCommand(program: Command): void {
  const key = program.command('key').description('make an IndexNow key, or check one')
  const make = addCommand(key, 'new', {
    summary: 'make a key; the one place where a whole key is printed',
    examples: [
      ['sluice key new', 'the key alone'],
      ['sluice key new --write ./public', 'and its file, in the folder that your site serves'],
    ],
  }).option('--write <folder>', 'write {key}.txt into this folder')
  does(make, async () => (await import('./key/new.ts')).runKeyNew)

  const check = addCommand(key, 'check', {
    summary: 'look whether a key file is right',
    examples: [
      ['INDEXNOW_API_KEY="$KEY" sluice key check --host example.com', 'of a key at a host'],
      ['sluice key check', 'of every stored site'],
      ['sluice key check example.com', 'of one of them'],
    ],
  })
    .argument(
      '[key-or-site]',
      'with --host a key (default: INDEXNOW_API_KEY), else the id of a stored site',
    )
    .option('--host <host>', 'the host that serves the key file')
  does(check, async () => (await import('./key/check.ts')).runKeyCheck)
}
