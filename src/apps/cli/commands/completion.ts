import { Argument, type Command } from 'commander'
import { addCommand, does } from '../command.ts'

const SHELLS = ['bash', 'zsh', 'fish', 'powershell'] as const

export function completionCommand(program: Command): void {
  const command = addCommand(program, 'completion', {
    summary: 'print the script that completes commands in a shell',
    examples: [
      ['source <(sluice completion bash)', 'In this bash; in ~/.bashrc for every one'],
      ['sluice completion fish > ~/.config/fish/completions/sluice.fish', 'For fish'],
    ],
  }).addArgument(new Argument('<shell>', 'which shell').choices(SHELLS))
  does(command, async () => (await import('./completion/run.ts')).runCompletion)
}
