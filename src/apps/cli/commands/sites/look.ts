import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openEnvironment } from '../../environment.ts'
import { openToLook } from '../../place.ts'
import { table } from '../../table.ts'
import type { Terminal } from '../../terminal.ts'
import { inWords } from '../../words.ts'
import { printSite, type ShownSite } from './print-site.ts'

export async function runListSites(call: Call): Promise<ExitCode> {
  return look(call, '/api/sites', (answer) =>
    printList(answer['sites'] as readonly ShownSite[], call.terminal),
  )
}

export async function runShowSite(call: Call): Promise<ExitCode> {
  const path = `/api/sites/${encodeURIComponent(call.words[0] ?? '')}`
  return look(call, path, (answer) => printSite(answer['site'] as ShownSite, call.terminal))
}

async function look(
  call: Call,
  path: string,
  print: (answer: Readonly<Record<string, unknown>>) => void,
): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const place = await openToLook(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const found = await place.value.ask('GET', path)
    if (!found.ok) return call.refuse(found.failure)
    call.answer(found.value, () => print(found.value))
    return EXIT.done
  } finally {
    await place.value.close()
  }
}

function printList(sites: readonly ShownSite[], terminal: Terminal): void {
  if (sites.length === 0) terminal.say('There is no site yet. Add one with `sluice sites add`.')
  else {
    const rows = sites.map(({ id, enabled, sitemapUrl, searchEngines }) => [
      id,
      enabled ? 'on' : 'off',
      sitemapUrl,
      searchEngines.map(inWords.engine).join(', '),
    ])
    for (const line of table([['site', 'schedule', 'sitemap', 'engines'], ...rows]))
      terminal.print(line)
  }
}
