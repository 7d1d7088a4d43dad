import { ok } from '../../../../core/result.ts'
import type { ShownSite } from '../../../../submit/sites.ts'
import type { Answer } from '../../api.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openEnvironment } from '../../environment.ts'
import { openToLook } from '../../place.ts'
import { NO_SITE_YET, sitePath } from '../../sites-api.ts'
import { table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import { inWords } from '../../words.ts'
import { printSite } from './print-site.ts'

export async function runListSites(call: Call): Promise<ExitCode> {
  return look(call, '/api/sites', (answer) =>
    printList(answer['sites'] as readonly ShownSite[], call.terminal),
  )
}

export async function runShowSite(call: Call): Promise<ExitCode> {
  return look(call, sitePath(call.words[0] ?? ''), (answer) =>
    printSite(answer['site'] as ShownSite, call.terminal),
  )
}

async function look(call: Call, path: string, print: (answer: Answer) => void): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToLook(env.value), async (place) => {
    const found = await place.ask('GET', path)
    if (!found.ok) return found
    call.answer(found.value, () => print(found.value))
    return ok(EXIT.done)
  })
}

function printList(sites: readonly ShownSite[], terminal: Terminal): void {
  if (sites.length === 0) return terminal.say(NO_SITE_YET)
  const rows = sites.map(({ id, enabled, sitemapUrl, searchEngines }) => [
    id,
    enabled ? 'on' : 'off',
    sitemapUrl,
    searchEngines.map(inWords.engine).join(', '),
  ])
  for (const line of table([['site', 'schedule', 'sitemap', 'engines'], ...rows]))
    terminal.print(line)
}
