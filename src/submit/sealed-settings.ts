import type { Json, JsonObject } from '../core/json.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { describeUnsealFailure, type Sealer, type UnsealFailure } from '../core/seal.ts'
import { Secret } from '../core/secret.ts'
import type { SiteRecord } from '../stores/site-store.ts'
import type { Site } from './site.ts'
import {
  hostOf,
  keyLocationOf,
  MASK,
  readSettings,
  SECRET_FIELDS,
  type GivenFields,
  type SecretField,
  type SiteDefaults,
  type SiteSettings,
  USUAL_SETTINGS,
  type Whereabouts,
} from './site-settings.ts'

/** Why a stored site cannot be run. It can still be shown, changed and removed. */
export type SiteUnusable =
  | {
      readonly kind: 'secret-does-not-open'
      readonly id: string
      readonly field: SecretField
      readonly why: UnsealFailure
    }
  | {
      readonly kind: 'settings-unreadable'
      readonly id: string
      readonly problems: readonly string[]
    }

export type StoredSite = Pick<SiteRecord, 'id' | 'settings'>

/** For people: what is wrong with the site, and what to do. */
export function describeUnusable(unusable: SiteUnusable): string {
  const { id } = unusable
  if (unusable.kind === 'settings-unreadable') {
    return `The settings of ${id} cannot be used: ${unusable.problems.join(' ')} Correct them with PUT /api/sites/${id}.`
  }
  return `The ${unusable.field} of ${id} cannot be opened: ${describeUnsealFailure(unusable.why)} PUT /api/sites/${id} sets it.`
}

/** The site that a record stands for: secrets opened, defaults filled in. */
export async function siteOf(
  record: StoredSite,
  sealer: Sealer,
  defaults: SiteDefaults,
): Promise<Result<Site, SiteUnusable>> {
  const { id } = record
  const opened = await openFields(record, sealer)
  const [stuck] = opened.stuck
  if (stuck) return fail({ kind: 'secret-does-not-open', id, ...stuck })
  const read = readSettings(opened.fields)
  if (!read.ok) return fail({ kind: 'settings-unreadable', id, problems: read.failure.problems })
  return ok(resolved(id, read.value, defaults))
}

export interface OpenedFields {
  /** As `readSettings` takes them. A secret that does not open is there as a mask. */
  readonly fields: GivenFields
  readonly stuck: readonly { readonly field: SecretField; readonly why: UnsealFailure }[]
}

/** The stored settings with their secrets as `Secret`s. */
export async function openFields(record: StoredSite, sealer: Sealer): Promise<OpenedFields> {
  const stored = storedFields(record)
  const stuck: OpenedFields['stuck'][number][] = []
  const fields: Record<string, unknown> = { ...stored }
  for (const field of SECRET_FIELDS) {
    const sealed = stored[field]
    if (typeof sealed !== 'string') continue
    const opened = await sealer.unseal(sealed, purposeOf(record.id, field))
    if (!opened.ok) stuck.push({ field, why: opened.failure })
    fields[field] = opened.ok ? opened.value : new Secret(MASK)
  }
  return { fields, stuck }
}

export interface Before {
  readonly record: StoredSite
  readonly fields: GivenFields
}

/** The settings as they are stored. A secret that is the very one from `before` keeps its sealed text. */
export async function sealSettings(
  id: string,
  { id: _id, ...settings }: SiteSettings,
  sealer: Sealer,
  before?: Before,
): Promise<JsonObject> {
  const stored: Record<string, unknown> = { ...settings }
  for (const field of SECRET_FIELDS) {
    const secret = settings[field]
    if (!secret) continue
    const sealed = before && storedFields(before.record)[field]
    stored[field] =
      sealed !== undefined && secret === before?.fields[field]
        ? sealed
        : await sealer.seal(secret, purposeOf(id, field))
  }
  // By way of JSON: what was left out is left out, and what is returned is what will be read.
  return JSON.parse(JSON.stringify(stored))
}

export function storedFields({ settings }: Pick<SiteRecord, 'settings'>): JsonObject {
  return isObject(settings) ? settings : {}
}

/** Where a site is, is no secret: it can be told of one whose secrets do not open. */
export function storedHost(record: Pick<SiteRecord, 'settings'>): string {
  return hostOf(storedFields(record) as unknown as Whereabouts)
}

function isObject(json: Json): json is JsonObject {
  return typeof json === 'object' && json !== null && !Array.isArray(json)
}

const purposeOf = (id: string, field: SecretField) => `site:${id}:${field}`

function resolved(id: string, settings: SiteSettings, defaults: SiteDefaults): Site {
  const all = withDefaults(settings, defaults)
  return {
    id,
    name: all.name ?? id,
    enabled: all.enabled,
    host: hostOf(settings),
    sitemapUrl: all.sitemapUrl,
    sitemapUrls: all.sitemapUrls,
    backupSitemapUrl: all.backupSitemapUrl,
    allowedSitemapHosts: [...all.allowedSitemapHosts, ...ownSitemapHost(settings)],
    apiKey: all.apiKey,
    keyLocation: keyLocationOf(settings, all.apiKey),
    searchEngines: all.searchEngines,
    submitMode: all.submitMode,
    maxConcurrentRequests: all.maxConcurrentRequests,
    requestIntervalMs: all.requestIntervalMs,
    maxRetries: all.maxRetries,
    cacheTtlDays: all.cacheTtlDays,
    firstRun: all.firstRun,
    submitDeleted: all.submitDeleted,
    webhookUrl: all.webhookUrl,
    bing:
      all.bingEnabled && all.bingApiKey
        ? { apiKey: all.bingApiKey, dailyQuota: all.bingDailyQuota, priority: all.bingPriority }
        : undefined,
  }
}

/** Whoever names the host and the sitemap's address apart has allowed the one to serve the other. */
function ownSitemapHost({ host, sitemapUrl }: SiteSettings): readonly string[] {
  return host === undefined ? [] : [hostOf({ sitemapUrl })]
}

/** The one place where what was left out gets its value. */
export function withDefaults<T extends object>(settings: T, defaults: SiteDefaults) {
  const { maxConcurrentRequests, requestIntervalMs, maxRetries, cacheTtlDays } = defaults
  const server = { maxConcurrentRequests, requestIntervalMs, maxRetries, cacheTtlDays }
  const given = Object.entries(settings).filter(([, value]) => value !== undefined)
  return { ...USUAL_SETTINGS, ...server, ...(Object.fromEntries(given) as Given<T>) }
}

/** `T` without the undefined in its optional fields: `undefined` must not overwrite a default. */
type Given<T> = { [Name in keyof T]: Exclude<T[Name], undefined> }
