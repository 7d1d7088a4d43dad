import type { Clock } from '../core/clock.ts'
import { minutes } from '../core/duration.ts'
import { fail, ok, type Result } from '../core/result.ts'
import type { Sealer } from '../core/seal.ts'
import { Secret } from '../core/secret.ts'
import type { AlertStore } from '../stores/alert-store.ts'
import type { LeaseStore, LeaseTaken } from '../stores/lease-store.ts'
import type {
  SiteChanged,
  SiteExists,
  SiteMissing,
  SiteRecord,
  SiteStore,
} from '../stores/site-store.ts'
import { clearAlertsOf } from './alerts/observe.ts'
import { leaseNameOf } from './site-lease.ts'
import {
  openFields,
  sealSettings,
  siteOf,
  storedFields,
  withDefaults,
  type SiteUnusable,
} from './sealed-settings.ts'
import type { Site } from './site.ts'
import {
  describeUnknown,
  hostOf,
  isStill,
  keyLocationOf,
  MASK,
  readSettings,
  unknownNames,
  type GivenFields,
  type InvalidSettings,
  type SecretField,
  type SiteDefaults,
  type SiteSettings,
} from './site-settings.ts'

export interface SitesOptions {
  readonly sites: SiteStore
  readonly sealer: Sealer
  readonly defaults: SiteDefaults
}

/** `given` is the body of `POST /api/sites`. */
export async function createSite(
  { sites, sealer }: SitesOptions,
  given: unknown,
): Promise<Result<SiteRecord, InvalidSettings | SiteExists>> {
  if (!isFields(given)) return notFields
  const unknown = unknownNames(given)
  const read = readSettings(merged({}, without(given, unknown)))
  const problems = read.ok ? [] : read.failure.problems
  if (!read.ok || unknown.length > 0) return invalid([...unknown.map(describeUnknown), ...problems])
  const id = read.value.id ?? hostOf(read.value).replaceAll(/[[\]]/g, '')
  return sites.create(id, await sealSettings(id, read.value, sealer))
}

/** `given` is the body of `PUT /api/sites/:id`: its fields replace, `null` clears, all else stays. */
export async function changeSite(
  options: SitesOptions,
  id: string,
  given: unknown,
): Promise<Result<SiteRecord, InvalidSettings | SiteMissing | SiteChanged>> {
  if (!isFields(given)) return notFields
  return change(options, id, (record) => {
    const changes = without(given, namesUnchanged(given, shownSite(record, options.defaults)))
    const problems = [
      ...('id' in changes ? [`The id of ${id} cannot be changed. Add a second site instead.`] : []),
      ...unknownNames(changes).map(describeUnknown),
    ]
    return problems.length > 0 ? invalid(problems) : ok(changes)
  })
}

export interface RemoveOptions extends SitesOptions {
  readonly alerts: AlertStore
  readonly leases: LeaseStore
  readonly clock: Clock
}

/**
 * Forgets the site with all that belongs to it. What was wrong with it is wrong no more. Refused while a run goes on:
 * what it writes afterwards would be taken for the memory of a site that is added again under the same name.
 */
export async function removeSite(
  { sites, alerts, leases, clock }: RemoveOptions,
  id: string,
): Promise<Result<SiteRecord, SiteMissing | LeaseTaken>> {
  const record = await sites.get(id)
  if (!record) return fail({ kind: 'site-missing', id })
  const ask = { name: leaseNameOf(id), holder: 'removal', ttlMs: REMOVAL_MS }
  const lease = await leases.acquire(ask)
  if (!lease.ok) return lease
  try {
    if (!(await sites.remove(id))) return fail({ kind: 'site-missing', id })
    await clearAlertsOf(alerts, id, clock.now())
    return ok(record)
  } finally {
    await leases.release(lease.value)
  }
}

/** A site of a million pages is removed in seconds. */
const REMOVAL_MS = minutes(1)

/** The site as it is run. */
export async function getSite(
  { sites, sealer, defaults }: SitesOptions,
  id: string,
): Promise<Result<Site, SiteMissing | SiteUnusable>> {
  const record = await sites.get(id)
  return record ? siteOf(record, sealer, defaults) : fail({ kind: 'site-missing', id })
}

/** Every site as it is run, by id; one that is unusable does not hide the others. */
export async function listSites({
  sites,
  sealer,
  defaults,
}: SitesOptions): Promise<readonly Result<Site, SiteUnusable>[]> {
  const records = await sites.list()
  return Promise.all(records.map((record) => siteOf(record, sealer, defaults)))
}

/** The variables of docs/spec.md R01, as the configuration reads them. */
export interface SiteVariables {
  readonly sitemapUrl: string | undefined
  readonly siteHost: string | undefined
  readonly indexnowApiKey: Secret | undefined
  readonly indexnowSearchEngines: readonly string[] | undefined
}

type EnvironmentFailure = InvalidSettings | SiteMissing | SiteChanged

/**
 * The one site that the environment names, created or brought up to date; undefined when it names none. What the
 * environment does not speak of stays as it was set through the API. Writes nothing when nothing is new.
 */
export async function siteFromEnvironment(
  options: SitesOptions,
  variables: SiteVariables,
): Promise<Result<SiteRecord | undefined, EnvironmentFailure>> {
  const { sites, sealer } = options
  const { sitemapUrl, siteHost, indexnowApiKey: apiKey, indexnowSearchEngines } = variables
  if (sitemapUrl === undefined || apiKey === undefined) return ok(undefined)
  const host = siteHost === URL.parse(sitemapUrl)?.hostname ? undefined : siteHost
  const id = siteHost ?? hostOf({ sitemapUrl }).replaceAll(/[[\]]/g, '')
  const given = {
    sitemapUrl,
    apiKey,
    host: host ?? null,
    ...(indexnowSearchEngines && { searchEngines: indexnowSearchEngines }),
  }
  const read = readSettings(merged({}, given))
  if (!read.ok) return read
  const created = await sites.create(id, await sealSettings(id, read.value, sealer))
  return created.ok ? created : change(options, id, () => ok(given))
}

/** A site as answers show it: every field of `POST /api/sites`, secrets as masks. */
export type ShownSite = ReturnType<typeof shownSite>

/** Needs no key: a site whose secrets do not open is shown all the same. */
export function shownSite(record: SiteRecord, defaults: SiteDefaults) {
  // Checked when it was written, but for its secrets, which are sealed text here.
  const settings = storedFields(record) as unknown as SiteSettings
  const all = withDefaults(settings, defaults)
  const masked = (field: SecretField) => (settings[field] ? MASK : null)
  return {
    id: record.id,
    name: all.name ?? record.id,
    enabled: all.enabled,
    host: hostOf(settings),
    sitemapUrl: all.sitemapUrl,
    sitemapUrls: all.sitemapUrls,
    backupSitemapUrl: all.backupSitemapUrl ?? null,
    allowedSitemapHosts: all.allowedSitemapHosts,
    apiKey: masked('apiKey'),
    keyLocation: keyLocationOf(settings, MASK),
    searchEngines: all.searchEngines,
    submitMode: all.submitMode,
    maxConcurrentRequests: all.maxConcurrentRequests,
    requestIntervalMs: all.requestIntervalMs,
    maxRetries: all.maxRetries,
    cacheTtlDays: all.cacheTtlDays,
    firstRun: all.firstRun,
    submitDeleted: all.submitDeleted,
    webhookUrl: masked('webhookUrl'),
    bingEnabled: all.bingEnabled,
    bingApiKey: masked('bingApiKey'),
    bingDailyQuota: all.bingDailyQuota,
    bingPriority: all.bingPriority,
    createdAt: new Date(record.createdAt).toISOString(),
    updatedAt: new Date(record.updatedAt).toISOString(),
  }
}

/** A site is changed by people: who loses this often has met a bug. */
const MOST_CONFLICTS = 10

type Changes = (record: SiteRecord) => Result<GivenFields, InvalidSettings>

async function change(
  { sites, sealer }: SitesOptions,
  id: string,
  changes: Changes,
): Promise<Result<SiteRecord, InvalidSettings | SiteMissing | SiteChanged>> {
  for (let conflicts = 0; conflicts < MOST_CONFLICTS; conflicts++) {
    const record = await sites.get(id)
    if (!record) return fail({ kind: 'site-missing', id })
    const given = changes(record)
    if (!given.ok) return given
    const { fields } = await openFields(record, sealer)
    const read = readSettings(merged(fields, given.value))
    if (!read.ok) return read
    const settings = await sealSettings(id, read.value, sealer, { record, fields })
    if (isSame(settings, storedFields(record))) return ok(record)
    const replaced = await sites.replace(record, settings)
    if (replaced.ok || replaced.failure.kind === 'site-missing') return replaced
  }
  return fail({ kind: 'site-changed', id })
}

/** `before` with what was given in its place. A secret that is masked or the same stays the one it was. */
function merged(before: GivenFields, given: GivenFields): GivenFields {
  const after: Record<string, unknown> = { ...before }
  for (const [name, value] of Object.entries(given)) {
    if (value === null) delete after[name]
    else if (!keepsSecret(before[name], value)) after[name] = value
  }
  return after
}

function keepsSecret(before: unknown, given: unknown): boolean {
  return before instanceof Secret && isStill(before, given)
}

/** What a reader was shown and sends back is no change; dates are never anybody's to change. */
function namesUnchanged(given: GivenFields, shown: ShownSite): readonly string[] {
  const same = (['id', 'host'] as const).filter((name) => given[name] === shown[name])
  return [...same, 'createdAt', 'updatedAt']
}

function without(given: GivenFields, names: readonly string[]): GivenFields {
  return Object.fromEntries(Object.entries(given).filter(([name]) => !names.includes(name)))
}

function isSame(left: GivenFields, right: GivenFields): boolean {
  const names = new Set([...Object.keys(left), ...Object.keys(right)])
  return [...names].every((name) => JSON.stringify(left[name]) === JSON.stringify(right[name]))
}

function isFields(given: unknown): given is GivenFields {
  return typeof given === 'object' && given !== null && !Array.isArray(given)
}

const invalid = (problems: readonly string[]) =>
  fail({ kind: 'invalid-settings' as const, problems })

const notFields = invalid([
  'The body should be a JSON object with the fields of a site, at least sitemapUrl and apiKey.',
])
