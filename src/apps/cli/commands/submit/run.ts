import { fail, ok, type Result } from '../../../../core/result.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { followRun, openRunEnvironment, type RunEnvironment, tellRun } from '../../follow-run.ts'
import { givenKey } from '../../given-key.ts'
import { openCopy, openToWork, type Place } from '../../place.ts'
import { planSubmit } from './plan.ts'

interface SubmitOptions {
  readonly key?: string
  readonly engine?: readonly string[]
  readonly mode?: string
  readonly dryRun?: true
}

export async function runSubmit(call: Call<SubmitOptions>): Promise<ExitCode> {
  const env = openRunEnvironment(call, { uses: ['INDEXNOW_API_KEY', 'INDEXNOW_SEARCH_ENGINES'] })
  if (!env.ok) return call.refuse(env.failure)
  const wanted = readWanted(call, env.value)
  if (!wanted.ok) return call.refuse(wanted.failure)
  return call.options.dryRun
    ? dryRun(call, env.value, wanted.value)
    : submit(call, env.value, wanted.value)
}

async function submit(
  call: Call<SubmitOptions>,
  env: RunEnvironment,
  wanted: WantedSite,
): Promise<ExitCode> {
  const place = await openToWork(env)
  if (!place.ok) return call.refuse(place.failure)
  try {
    const site = await rememberSite(place.value, wanted, env)
    if (!site.ok) return call.refuse(site.failure)
    const ask = { site: site.value, channel: 'all' }
    const followed = await followRun(call, env, place.value, ask)
    if (!followed.ok) return call.refuse(followed.failure)
    return tellRun(call, followed.value, place.value)
  } finally {
    await place.value.close()
  }
}

async function dryRun(
  call: Call<SubmitOptions>,
  env: RunEnvironment,
  wanted: WantedSite,
): Promise<ExitCode> {
  const copy = openCopy(env)
  if (!copy.ok) return call.refuse(copy.failure)
  try {
    const site = await rememberSite(copy.value, wanted, env)
    if (!site.ok) return call.refuse(site.failure)
    return await planSubmit(call, copy.value, site.value)
  } finally {
    await copy.value.close()
  }
}

/** The site as the command line describes it, in the fields of the API. */
interface WantedSite {
  readonly id: string
  readonly fields: Readonly<Record<string, unknown>>
}

function readWanted(
  { words, options }: Call<SubmitOptions>,
  { config }: RunEnvironment,
): Result<WantedSite, Complaint> {
  const sitemapUrl = words[0] ?? ''
  const url = URL.parse(sitemapUrl)
  if (!url || !/^https?:$/.test(url.protocol) || url.username || url.password) {
    const host = /^[\w-]+(\.[\w-]+)+(\/\S*)?$/.test(sitemapUrl)
    return fail({
      exit: EXIT.wrongUse,
      code: 'bad-address',
      what: 'The address should be an http:// or https:// one, without a name and password in it.',
      advice: host
        ? `Did you mean https://${sitemapUrl}?`
        : 'Such as https://example.com/sitemap.xml, or https://example.com to find it.',
    })
  }
  const searchEngines = options.engine ?? config.indexnowSearchEngines
  return ok({
    id: url.host.replaceAll(/[[\]]/g, ''),
    fields: {
      sitemapUrl,
      ...givenKey(options, config),
      ...(searchEngines && { searchEngines }),
      ...(options.mode !== undefined && { submitMode: options.mode }),
    },
  })
}

/**
 * Adds the site, or brings it up to date: what the command line does not speak of stays as it was. A server is asked
 * to change only what it knows: it would run what is added every day from now on, which nobody asked for.
 */
async function rememberSite(
  place: Place,
  { id, fields }: WantedSite,
  { config }: RunEnvironment,
): Promise<Result<string, Complaint>> {
  const known = await place.ask('GET', `/api/sites/${encodeURIComponent(id)}`)
  if (!known.ok && known.failure.code !== 'NOT_FOUND') return known
  if (known.ok) {
    const changed = await place.ask('PUT', `/api/sites/${encodeURIComponent(id)}`, fields)
    return changed.ok ? ok(id) : changed
  }
  if (place.serverUrl !== undefined) {
    return fail({
      exit: EXIT.wrongUse,
      code: 'unknown-site',
      what: `The server at ${place.serverUrl} holds ${config.sluiceData}, and does not know ${id}.`,
      advice: `Add it there with \`sluice sites add\`, or give this command a folder of its own with --data.`,
    })
  }
  if (fields['apiKey'] === undefined) {
    return fail({
      exit: EXIT.wrongUse,
      code: 'no-key',
      what: 'There is no IndexNow key.',
      advice: `Give it with --key or INDEXNOW_API_KEY. \`sluice key new\` makes one; it must also be in a file that the site serves under https://${id}/{key}.txt.`,
    })
  }
  const added = await place.ask('POST', '/api/sites', { id, ...fields })
  return added.ok ? ok(id) : added
}
