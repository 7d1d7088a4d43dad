import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function statusCommand(program: Command): void {
  const command = addCommand(program, 'status', {
    summary: 'how a site is doing, or every site',
    examples: [
      ['sluice status', 'Every site'],
      [
        'sluice status example.com --json',
        'One, as GET /status answers it, with the newest pages that engines did not take',
      ],
    ],
  }).argument('[site]', 'its id')
  does(command, async () => (await import('./status/run.ts')).runStatus)
}
