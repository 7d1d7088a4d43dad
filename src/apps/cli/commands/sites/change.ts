import { fail, ok, type Result } from '../../../../core/result.ts'
import type { Answer } from '../../api.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { type Environment, openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { givenKey } from '../../given-key.ts'
import { inOptions } from '../../in-options.ts'
import { openToWork, type Place } from '../../place.ts'
import { sitePath } from '../../sites-api.ts'
import type { ShownSite } from '../../../../submit/sites.ts'
import { printSite } from './print-site.ts'
import { readFields } from './read-fields.ts'

interface AddSiteOptions {
  readonly key?: string
}

export async function runAddSite(call: Call<AddSiteOptions>): Promise<ExitCode> {
  const [sitemapUrl, ...given] = call.words.flat()
  const next = ({ id }: ShownSite) => `Next: sluice run ${id}`
  const fields = await readFields(given)
  if (!fields.ok) return call.refuse(fields.failure)
  return change(call, next, async (place, { config }) => {
    const body = { sitemapUrl, ...givenKey(call.options, config), ...fields.value }
    const added = await place.ask('POST', '/api/sites', body)
    if (added.ok || 'apiKey' in fields.value) return added
    return fail(inOptions(added.failure, { apiKey: '--key' }))
  })
}

export async function runSetSite(call: Call): Promise<ExitCode> {
  const [site = '', ...given] = call.words.flat()
  const fields = await readFields(given)
  if (!fields.ok) return call.refuse(fields.failure)
  return change(call, undefined, (place) => place.ask('PUT', sitePath(site), fields.value))
}

export async function runRemoveSite(call: Call): Promise<ExitCode> {
  const [site = ''] = call.words.flat()
  const removed = () => `Removed ${site}, with all that was known of its pages.`
  return change(call, removed, (place) => place.ask('DELETE', sitePath(site)))
}

async function change(
  call: Call,
  words: ((site: ShownSite) => string) | undefined,
  ask: (place: Place, env: Environment) => Promise<Result<Answer, Complaint>>,
): Promise<ExitCode> {
  const env = openEnvironment(call, { uses: ['INDEXNOW_API_KEY'] })
  if (!env.ok) return call.refuse(env.failure)
  const rehearse = (copy: Place) => ask(copy, env.value)
  return atPlace(call, await openToWork(env.value, rehearse), async (place) => {
    const changed = await ask(place, env.value)
    if (!changed.ok) return changed
    const site = changed.value['site'] as ShownSite
    call.answer(changed.value, () => printSite(site, call.terminal))
    if (words) call.terminal.say(words(site))
    return ok(EXIT.done)
  })
}
