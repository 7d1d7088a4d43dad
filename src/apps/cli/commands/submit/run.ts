import { fail, ok, type Result } from '../../../../core/result.ts'
import { atPlace } from '../../at-place.ts'
import type { Call } from '../../command.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT, type ExitCode } from '../../exit-codes.ts'
import { findServer } from '../../find-server.ts'
import { followRun, openRunEnvironment, type RunEnvironment, tellRun } from '../../follow-run.ts'
import { givenAddress } from '../../given-address.ts'
import { givenEngines } from '../../given-engines.ts'
import { givenKey } from '../../given-key.ts'
import { inOptions } from '../../in-options.ts'
import { openCopy, openToWork, type Place } from '../../place.ts'
import { sitePath } from '../../sites-api.ts'
import { changedSettings } from './changed-settings.ts'
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
  return atPlace(call, await openToWork(env), async (place) => {
    const site = await rememberSite(call, { place, env, wanted })
    if (!site.ok) return site
    const ask = { site: site.value, channel: 'all' }
    const followed = await followRun(call, env, place, ask)
    return followed.ok ? ok(tellRun(call, followed.value, place)) : followed
  })
}

async function dryRun(
  call: Call<SubmitOptions>,
  env: RunEnvironment,
  wanted: WantedSite,
): Promise<ExitCode> {
  const server = await findServer(env.config)
  if (server?.ok) call.terminal.say(besideServer(server.value.url))
  return atPlace(call, openCopy(env), async (copy) => {
    const site = await rememberSite(call, { place: copy, env, wanted })
    return site.ok ? planSubmit(call, copy, site.value) : site
  })
}

/** A server has no dry run of its own to ask for here, and it may be set up otherwise. */
const besideServer = (url: string) =>
  `The server at ${url} holds the folder. This dry run is not its own: it reads with the settings of this shell.`

/** The fields that have an option here. */
const OPTIONS = { apiKey: '--key', searchEngines: '--engine', submitMode: '--mode' }

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
  const url = givenAddress(sitemapUrl)
  if (!url.ok) return url
  const named = options.engine && givenEngines(options.engine)
  if (named?.ok === false) return named
  const searchEngines = named?.value ?? config.indexnowSearchEngines
  return ok({
    id: url.value.host.replaceAll(/[[\]]/g, ''),
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
  { terminal }: Call,
  { place, env, wanted }: { place: Place; env: RunEnvironment; wanted: WantedSite },
): Promise<Result<string, Complaint>> {
  const { id, fields } = wanted
  const known = await place.ask('GET', sitePath(id))
  if (!known.ok && known.failure.code !== 'NOT_FOUND') return known
  if (known.ok) {
    const changed = await place.ask('PUT', sitePath(id), fields)
    if (!changed.ok) return fail(inOptions(changed.failure, OPTIONS))
    const changes = changedSettings(Object.keys(fields), {
      before: known.value,
      after: changed.value,
    })
    for (const change of changes) terminal.say(`${id} has other settings now. ${change}`)
    return ok(id)
  }
  if (place.serverUrl !== undefined) {
    return fail({
      exit: EXIT.wrongUse,
      code: 'unknown-site',
      what: `The server at ${place.serverUrl} holds ${env.config.sluiceData}, and does not know ${id}.`,
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
  return added.ok ? ok(id) : fail(inOptions(added.failure, OPTIONS))
}
