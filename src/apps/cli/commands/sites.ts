import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

const FIELDS =
  'field=value, of the fields in docs/operations.md; field=- reads the value from stdin'

export function sitesCommand(program: Command): void {
  const sites = addCommand(program, 'sites', {
    summary: 'list, add, show, change and remove sites',
    examples: [
      ['INDEXNOW_API_KEY="$KEY" sluice sites add https://example.com/sitemap.xml', 'A new site'],
      ['sluice sites list', 'Those there are'],
    ],
  })
  listCommand(sites)
  addSiteCommand(sites)
  showCommand(sites)
  setCommand(sites)
  removeCommand(sites)
}

function listCommand(sites: Command): void {
  const command = addCommand(sites, 'list', {
    summary: 'every site, by id',
    examples: [['sluice sites list --json', 'With all settings; secrets as ****']],
  })
  does(command, async () => (await import('./sites/look.ts')).runListSites)
}

function addSiteCommand(sites: Command): void {
  const command = addCommand(sites, 'add', {
    summary: 'add a site',
    examples: [
      [
        'INDEXNOW_API_KEY="$KEY" sluice sites add https://example.com/sitemap.xml',
        'Its id is its host',
      ],
      [
        'INDEXNOW_API_KEY="$KEY" sluice sites add https://example.com id=shop searchEngines=bing,yandex',
        'With an id and engines of its own',
      ],
    ],
  })
    .argument('<address>', "a sitemap, or the site's own address to find it")
    .argument('[fields...]', FIELDS)
    .option('--key <key>', 'the IndexNow key (default: INDEXNOW_API_KEY)')
  does(command, async () => (await import('./sites/change.ts')).runAddSite)
}

function showCommand(sites: Command): void {
  const command = addCommand(sites, 'show', {
    summary: 'the settings of a site',
    examples: [['sluice sites show example.com', 'Secrets as ****']],
  }).argument('<site>', 'its id')
  does(command, async () => (await import('./sites/look.ts')).runShowSite)
}

function setCommand(sites: Command): void {
  const command = addCommand(sites, 'set', {
    summary: 'change settings of a site; an empty value clears one',
    examples: [
      ['sluice sites set example.com submitMode=post enabled=false', 'Two at once'],
      [
        'sluice sites set example.com bingEnabled=true bingApiKey=- < bing-key.txt',
        'A secret from a file, so that no list of processes shows it',
      ],
    ],
  })
    .argument('<site>', 'its id')
    .argument('<fields...>', FIELDS)
  does(command, async () => (await import('./sites/change.ts')).runSetSite)
}

function removeCommand(sites: Command): void {
  const command = addCommand(sites, 'remove', {
    summary: 'forget a site with all that is known of its pages',
    examples: [['sluice sites remove example.com', 'Added again, everything is sent again']],
  }).argument('<site>', 'its id')
  does(command, async () => (await import('./sites/change.ts')).runRemoveSite)
}
