import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function urlCommand(program: Command): void {
  const command = addCommand(program, 'url', {
    summary: 'what happened to a page, at each engine',
    examples: [['sluice url https://example.com/page', 'When it was sent where, and the answer']],
  }).argument('<url>', "the page's whole address")
  does(command, async () => (await import('./url/run.ts')).runUrl)
}
