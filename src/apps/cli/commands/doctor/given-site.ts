import { fail, ok, type Result } from '../../../../core/result.ts'
import { type Patient, patientFrom } from '../../../../submit/doctor/patient.ts'
import { isHttpAddress } from '../../../../submit/search-engines.ts'
import type { Config } from '../../../settings.ts'
import type { Complaint } from '../../complaint.ts'
import { EXIT } from '../../exit-codes.ts'
import { givenEngines } from '../../given-engines.ts'

export interface GivenSite {
  readonly sitemap?: string
  readonly key?: string
  readonly keyLocation?: string
  readonly engine?: readonly string[]
}

/** The site that the options describe; undefined where they describe none. */
export function patientOfOptions(
  site: string | undefined,
  { sitemap, key, keyLocation, engine = [] }: GivenSite,
  { indexnowApiKey }: Pick<Config, 'indexnowApiKey'>,
): Result<Patient | undefined, Complaint> {
  if (sitemap === undefined) {
    const others = [key, keyLocation].some((given) => given !== undefined) || engine.length > 0
    return others
      ? wrong(
          '--key, --key-location and --engine describe the site of --sitemap.',
          'Add --sitemap.',
        )
      : ok(undefined)
  }
  if (site !== undefined) {
    return wrong('A stored site and --sitemap are two sites.', 'Give one of them.')
  }
  for (const address of [sitemap, keyLocation ?? sitemap]) {
    if (!isHttpAddress(address)) {
      return wrong('An address is not usable.', 'Give it whole: https://example.com/sitemap.xml')
    }
  }
  const given = key ?? indexnowApiKey?.reveal()
  if (given === undefined || given === '') {
    return wrong('The key is missing.', 'Give it with --key, or make one: sluice key new')
  }
  const engines = givenEngines(engine)
  if (!engines.ok) return engines
  const searchEngines = engines.value.length > 0 ? engines.value : undefined
  return ok(patientFrom({ sitemapUrl: sitemap, key: given, keyLocation, searchEngines }))
}

/** SPEC R01: the one site of the environment. */
export function patientOfEnvironment(config: Config): Patient | undefined {
  const { sitemapUrl, indexnowApiKey, siteHost, indexnowSearchEngines } = config
  if (sitemapUrl === undefined || indexnowApiKey === undefined) return undefined
  const isOwn = siteHost === undefined || siteHost === URL.parse(sitemapUrl)?.hostname
  return patientFrom({
    sitemapUrl,
    key: indexnowApiKey.reveal(),
    host: isOwn ? undefined : siteHost,
    searchEngines: indexnowSearchEngines,
  })
}

function wrong(what: string, advice: string): Result<never, Complaint> {
  return fail({ exit: EXIT.wrongUse, code: 'wrong-use', what, advice })
}
