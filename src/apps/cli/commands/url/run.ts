import type { z } from 'zod'
import { fail, ok } from '../../../../core/result.ts'
import type { URL_STATE } from '../../../../submit/http/shapes.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { openEnvironment } from '../../environment.ts'
import { openToLook } from '../../place.ts'
import { listedSites, sitePath } from '../../sites-api.ts'
import { table } from '../../table.ts'
import { inWords } from '../../words.ts'

type State = z.infer<typeof URL_STATE>

export async function runUrl(call: Call): Promise<ExitCode> {
  const env = openEnvironment(call)
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToLook(env.value), async (place) => {
    const url = call.words[0] ?? ''
    const host = URL.parse(url)?.host
    const sites = await listedSites(place)
    if (!sites.ok) return sites
    const site = sites.value.find((candidate) => candidate.host === host)
    if (!site) return fail(noSiteOf(url, host))
    const query = new URLSearchParams({ url })
    const found = await place.ask('GET', `${sitePath(site.id)}/urls?${query}`)
    if (!found.ok) return found
    call.answer(found.value, () => printStates(call, found.value['states'] as readonly State[]))
    return ok(EXIT.done)
  })
}

function noSiteOf(url: string, host: string | undefined): Complaint {
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
