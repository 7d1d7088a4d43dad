import type { z } from 'zod'
import type { URL_STATE } from '../../../../submit/http/shapes.ts'
import type { Call } from '../../command.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openEnvironment } from '../../environment.ts'
import { openToLook } from '../../place.ts'
import { table } from '../../table.ts'
import { inWords } from '../../words.ts'

type State = z.infer<typeof URL_STATE>

export async function runUrl(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  const place = await openToLook(env.value)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const url = call.words[0] ?? ''
    const host = URL.parse(url)?.host
    const listed = await place.value.ask('GET', '/api/sites')
    if (!listed.ok) return call.refuse(listed.failure)
    const sites = listed.value['sites'] as readonly { id: string; host: string }[]
    const site = sites.find((candidate) => candidate.host === host)
    if (!site) return call.refuse(noSiteOf(url, host))
    const query = new URLSearchParams({ url })
    const path = `/api/sites/${encodeURIComponent(site.id)}/urls?${query}`
    const found = await place.value.ask('GET', path)
    if (!found.ok) return call.refuse(found.failure)
    call.answer(found.value, () => printStates(call, found.value['states'] as readonly State[]))
    return EXIT.done
  } finally {
    await place.value.close()
  }
}

function noSiteOf(url: string, host: string | undefined) {
  return {
    exit: EXIT.wrongUse,
    code: host ? 'unknown-site' : 'bad-address',
    what: host
      ? `No site here has pages on ${host}.`
      : `"${url.slice(0, 200)}" is not a whole address.`,
    advice: host
      ? '`sluice sites list` shows those there are; --data names another folder.'
      : 'Give it as a browser shows it: https://example.com/page.',
  }
}

function printStates({ terminal }: Call, states: readonly State[]): void {
  if (states.length === 0) {
    terminal.print('Never seen: no sitemap has listed this page, and nobody has submitted it.')
    return
  }
  const rows = states.map(({ engine, status, submittedAt, statusCode, lastmod }) => [
    inWords.engine(engine),
    status,
    submittedAt ? inWords.time(submittedAt) : '–',
    statusCode === null ? '–' : String(statusCode),
    lastmod ? inWords.time(lastmod) : '–',
  ])
  for (const line of table([['engine', 'status', 'sent', 'answer', 'lastmod'], ...rows]))
    terminal.print(line)
}
