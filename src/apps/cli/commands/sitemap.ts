import type { Command } from 'commander'
import { addCommand, does } from '../command.ts'

export function sitemapCommand(program: Command): void {
  const command = addCommand(program, 'sitemap', {
    summary: 'read the sitemaps of a site and list its pages; submits and stores nothing',
    examples: [
      ['sluice sitemap https://example.com', 'The pages, one a line'],
      [
        'sluice sitemap https://example.com/sitemap.xml --json',
        'With dates, files and what is wrong',
      ],
    ],
  }).argument('<address>', "a sitemap, or the site's own address to find it")
  does(command, async () => (await import('./sitemap/run.ts')).runSitemap)
}
