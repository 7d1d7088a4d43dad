import { type Command, Option } from 'commander'
import { addCommand, does } from '../command.ts'

export function runCommand(program: Command): void {
  const command = addCommand(program, 'run', {
    summary: 'run a site that was added before, now',
    examples: [
      ['sluice run example.com', 'Everything that is due'],
      ['sluice run example.com --channel bing', "Only Bing's own quota"],
    ],
  })
    .argument('<site>', 'its id, as `sluice sites list` shows it')
    .addOption(
      new Option('--channel <channel>', 'where to submit')
        .choices(['all', 'indexnow', 'bing'])
        .default('all'),
    )
  does(command, async () => (await import('./run/run.ts')).runRun)
}
