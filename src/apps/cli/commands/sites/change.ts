import { ok, type Result } from '../../../../core/result.ts'
import type { Answer } from '../../api.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { type Environment, openEnvironment } from '../../environment.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { givenKey } from '../../given-key.ts'
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
  return change(call, async (place, { config }) => {
    const fields = await readFields(given)
    if (!fields.ok) return fields
    return place.ask('POST', '/api/sites', {
      sitemapUrl,
      ...givenKey(call.options, config),
      ...fields.value,
    })
  })
}

export async function runSetSite(call: Call): Promise<ExitCode> {
  const [site = '', ...given] = call.words.flat()
  return change(call, async (place) => {
    const fields = await readFields(given)
    return fields.ok ? place.ask('PUT', sitePath(site), fields.value) : fields
  })
}

export async function runRemoveSite(call: Call): Promise<ExitCode> {
  const [site = ''] = call.words.flat()
  return change(call, (place) => place.ask('DELETE', sitePath(site)))
}

async function change(
  call: Call,
  ask: (place: Place, env: Environment) => Promise<Result<Answer, Complaint>>,
): Promise<ExitCode> {
  const env = openEnvironment(call, { uses: ['INDEXNOW_API_KEY'] })
  if (!env.ok) return call.refuse(env.failure)
  return atPlace(call, await openToWork(env.value), async (place) => {
    const changed = await ask(place, env.value)
    if (!changed.ok) return changed
    call.answer(changed.value, () => printSite(changed.value['site'] as ShownSite, call.terminal))
    return ok(EXIT.done)
  })
}
