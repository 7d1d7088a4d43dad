import { type Command, Option } from 'commander'
import { addCommand, does } from '../command.ts'

export function submitCommand(program: Command): void {
  const command = addCommand(program, 'submit', {
    summary:
      'tell the search engines what is new on a site; needs no server, and remembers in --data what it sent',
    examples: [
      [
        'INDEXNOW_API_KEY="$KEY" sluice submit https://example.com/sitemap.xml',
        'What is new or changed since the last time',
      ],
      [
        'INDEXNOW_API_KEY="$KEY" sluice submit https://example.com --dry-run',
        'Only show what would be sent',
      ],
      [
        'sluice submit https://example.com --engine bing --engine yandex',
        'To other engines, with the key used before',
      ],
    ],
  })
    .argument('<address>', "a sitemap, or the site's own address to find it")
    .option('--key <key>', 'the IndexNow key (default: INDEXNOW_API_KEY, or the one used before)')
    .option(
      '--engine <engine>',
      'a name such as bing, a host or an address; once for each (default: api.indexnow.org, or those used before)',
      (engine: string, before: readonly string[] | undefined) => [...(before ?? []), engine],
    )
    .addOption(
      new Option('--mode <mode>', 'one by one, in batches, or by number').choices([
        'auto',
        'get',
        'post',
      ]),
    )
    .option(
      '--dry-run',
      'show what would be sent; send and write nothing. Works with the settings of this shell, also beside a server',
    )
  does(command, async () => (await import('./submit/run.ts')).runSubmit)
}
