import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function doctorCommand(program: Command): void {
  const command = addCommand(program, 'doctor', {
    summary: 'look for what keeps sites from being submitted, and say what to do; submits nothing',
    examples: [
      ['sluice doctor', 'every stored site, the store and the settings'],
      ['sluice doctor example.com', 'one of them'],
      [
        'INDEXNOW_API_KEY="$KEY" sluice doctor --sitemap https://example.com/sitemap.xml',
        'a site that is stored nowhere',
      ],
    ],
  })
    .argument('[site]', 'id of a stored site')
    .option('--sitemap <url>', 'sitemap or address of a site that is not stored')
    .option('--key <key>', 'its IndexNow key (default: INDEXNOW_API_KEY)')
    .option('--key-location <url>', 'its key file (default: /{key}.txt)')
    .option('--engine <engine...>', 'its engines, by name, host or address')
  does(command, async () => (await import('./doctor/run.ts')).runDoctorCommand)
}
