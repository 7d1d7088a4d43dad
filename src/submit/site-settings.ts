import { z } from 'zod'
import { nearestName } from '../core/nearest-name.ts'
import { redactText } from '../core/redact.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { Secret } from '../core/secret.ts'
import { isIndexNowKey } from './channels/indexnow/key.ts'
import { webhookTarget } from '../alerts/webhook-target.ts'
import { engineUrl, isHttpAddress, SEARCH_ENGINES } from './search-engines.ts'
import type { BingPriority, SubmitMode } from './site.ts'

/** What stands for a secret wherever settings are shown; sent back, it leaves the secret as it is. */
export const MASK = '****'

/** Stands for the IndexNow key inside `keyLocation`, so that the key is kept in one place, sealed. */
const KEY_PLACEHOLDER = '{key}'

/** The ledger keeps a site's engines as 31 bits of one number, and one of them is Bing's. */
const MAX_SEARCH_ENGINES = 30
const MAX_LIST = 100
/** Timers hold 31 bits of milliseconds. */
const LONGEST_WAIT_MS = 2 ** 31 - 1

/** What the server's configuration says where a site says nothing. */
export interface SiteDefaults {
  readonly maxConcurrentRequests: number
  readonly requestIntervalMs: number
  readonly maxRetries: number
  readonly cacheTtlDays: number
}

/** What holds for every site that does not say otherwise. */
export const USUAL_SETTINGS = {
  enabled: true,
  sitemapUrls: [] as readonly string[],
  allowedSitemapHosts: [] as readonly string[],
  searchEngines: [SEARCH_ENGINES.indexnow] as readonly string[],
  submitMode: 'auto' as SubmitMode,
  firstRun: 'submit' as 'submit' | 'baseline',
  submitDeleted: false,
  bingEnabled: false,
  bingDailyQuota: 100 as number | 'auto',
  bingPriority: 'newest' as BingPriority,
} as const

// A schema's error is what the field should be; `problemsOf` puts the field's name and value before it.
const ADDRESS = 'an http:// or https:// address without a name and password in it'

const address = z
  .string(ADDRESS)
  .trim()
  .refine((text) => isHttpAddress(text), ADDRESS)

const HOST = 'a host name, with its port where it is not the usual one, such as cdn.example.com'
const hosts = listOf(
  z.string().transform((text, context) => orIssue(hostFrom(text), HOST, context)),
  'host names, such as ["cdn.example.com"]',
)

/** What may stand for a search engine. */
export const ENGINE = `one of ${Object.keys(SEARCH_ENGINES).join(', ')}, a host such as api.indexnow.org, or the https:// address of an IndexNow endpoint`
const engine = z
  .string(ENGINE)
  .transform((text, context) => orIssue(engineUrl(text), ENGINE, context))
const ENGINES = `a list of 1 to ${MAX_SEARCH_ENGINES} search engines, such as ["bing", "yandex"]`

const NAME = 'a name of 1 to 200 characters in one line'
const ID = 'an id of 1 to 255 letters, digits and . _ : -, with at least one letter or digit'
const QUOTA = 'a whole number from 1 to 500, or "auto" to ask Bing for it'

/** The fields of `POST /api/sites`. A secret is one as soon as it was read. */
const SHAPE = {
  id: z.string(ID).regex(/^(?=.*[A-Za-z0-9])[\w.:-]{1,255}$/, ID),
  name: z
    .string(NAME)
    .trim()
    .regex(/^[^\p{Cc}\p{Zl}\p{Zp}]{1,200}$/u, NAME),
  sitemapUrl: address,
  sitemapUrls: listOf(address, 'addresses of further sitemaps'),
  backupSitemapUrl: address,
  allowedSitemapHosts: hosts,
  apiKey: secret(
    isIndexNowKey,
    "the site's IndexNow key: 8 to 128 characters of a-z, A-Z, 0-9 and -, nothing before or after them",
  ),
  keyLocation: address,
  searchEngines: z
    .array(engine, ENGINES)
    .min(1, ENGINES)
    .transform((urls) => [...new Set(urls)])
    .refine((urls) => urls.length <= MAX_SEARCH_ENGINES, ENGINES),
  submitMode: oneOf(['auto', 'get', 'post']),
  enabled: yesOrNo(),
  maxConcurrentRequests: wholeNumber(1, 100),
  requestIntervalMs: wholeNumber(0, LONGEST_WAIT_MS),
  maxRetries: wholeNumber(0, 10),
  cacheTtlDays: wholeNumber(0, 3_650),
  firstRun: oneOf(['submit', 'baseline']),
  submitDeleted: yesOrNo(),
  webhookUrl: secret(
    (text) => isHttpAddress(text) && webhookTarget(new Secret(text)).ok,
    'an http:// or https:// address; where its receiver checks signatures, with # and the signing secret after it (for plain JSON whsec_ and 32 to 88 characters of base64)',
  ),
  bingEnabled: yesOrNo(),
  bingApiKey: secret(
    (text) => /^[\x21-\x7e]{1,256}$/.test(text) && text !== MASK,
    'the API key of Bing Webmaster Tools, without spaces or line breaks',
  ),
  bingDailyQuota: z.union([z.literal('auto'), z.int(QUOTA).min(1, QUOTA).max(500, QUOTA)], QUOTA),
  bingPriority: oneOf(['newest', 'random']),
} as const

export const SITE_FIELDS = Object.keys(SHAPE) as readonly (keyof typeof SHAPE)[]
export const SECRET_FIELDS = ['apiKey', 'bingApiKey', 'webhookUrl'] as const
export type SecretField = (typeof SECRET_FIELDS)[number]

const { sitemapUrl, apiKey, ...optional } = SHAPE

/** What may be sent, field by field; `readSettings` also looks at what goes together. */
export const SITE_SCHEMA = z.strictObject({
  sitemapUrl,
  apiKey,
  ...z.object(optional).partial().shape,
})

const schema = z
  .strictObject({
    ...SITE_SCHEMA.shape,
    /** Only where pages and sitemap are on different hosts, which only the environment can say. */
    host: z.string().optional(),
  })
  .superRefine((settings, context) => {
    for (const message of problemsTogether(settings)) {
      context.addIssue({ code: 'custom', message, params: { whole: true } })
    }
  })
  .transform(({ keyLocation, ...settings }) => ({
    ...settings,
    ...(keyLocation !== undefined && {
      keyLocation: withPlaceholder(keyLocation, settings.apiKey),
    }),
  }))

/** A site's settings as they were given: what was left out is left out, so that defaults can change. */
export type SiteSettings = z.output<typeof schema>

export interface InvalidSettings {
  readonly kind: 'invalid-settings'
  /** For people, a sentence each. */
  readonly problems: readonly string[]
}

export type GivenFields = Readonly<Record<string, unknown>>

/** Reads the settings of a site, or tells everything that is wrong with them at once. */
export function readSettings(given: GivenFields): Result<SiteSettings, InvalidSettings> {
  const present = Object.entries(given).filter(([, value]) => value !== undefined)
  const read = schema.safeParse(Object.fromEntries(present))
  if (read.success) return ok(read.data)
  return fail({ kind: 'invalid-settings', problems: problemsOf(read.error, given) })
}

export function unknownNames(given: GivenFields): readonly string[] {
  return Object.keys(given).filter((name) => !Object.hasOwn(SHAPE, name))
}

/** For people, about a name that is not a field. */
export function describeUnknown(name: string): string {
  const meant = nearestName(name, SITE_FIELDS)
  const advice = meant
    ? `Did you mean ${meant}?`
    : `Leave it out. The fields are ${SITE_FIELDS.join(', ')}.`
  return `${shown(name)} is not a field of a site. ${advice}`
}

/** The settings from which follows where a site is. */
export interface Whereabouts {
  readonly host?: string | undefined
  readonly sitemapUrl: string
  readonly keyLocation?: string | undefined
}

/** The host whose pages are submitted. */
export function hostOf({ host, sitemapUrl }: Whereabouts): string {
  return host ?? URL.parse(sitemapUrl)?.host ?? ''
}

/** SPEC S20; a site that is served without TLS serves its key so too. */
export function keyLocationOf(settings: Whereabouts, key: Secret | string): string {
  const scheme = URL.parse(settings.sitemapUrl)?.protocol === 'http:' ? 'http' : 'https'
  const location = settings.keyLocation ?? `${scheme}://${hostOf(settings)}/${KEY_PLACEHOLDER}.txt`
  return location.replaceAll(KEY_PLACEHOLDER, typeof key === 'string' ? key : key.reveal())
}

/** Whether what was given for a secret leaves it as it is: its mask, or the same once more. */
export function isStill(before: Secret, given: unknown): boolean {
  return given === MASK || before.reveal() === (given instanceof Secret ? given.reveal() : given)
}

interface BingSwitch {
  readonly bingEnabled?: boolean | undefined
  readonly bingApiKey?: Secret | undefined
}

function problemsTogether(settings: Whereabouts & BingSwitch): string[] {
  const found: string[] = []
  const { keyLocation, bingEnabled, bingApiKey } = settings
  if (bingEnabled && !bingApiKey) found.push('bingApiKey is required when bingEnabled is true')
  if (keyLocation !== undefined && URL.parse(keyLocation)?.host !== hostOf(settings)) {
    found.push(
      `keyLocation is not on ${hostOf(settings)}: search engines only believe a key file on the host whose pages are submitted. Put the file there, or leave keyLocation out for ${keyLocationOf({ ...settings, keyLocation: undefined }, '<key>')}.`,
    )
  }
  return found
}

function withPlaceholder(keyLocation: string, key: Secret): string {
  const origin = URL.parse(keyLocation)?.origin.length ?? 0
  const path = keyLocation.slice(origin)
  return `${keyLocation.slice(0, origin)}${path.replaceAll(key.reveal(), KEY_PLACEHOLDER).replaceAll(MASK, KEY_PLACEHOLDER)}`
}

function problemsOf({ issues }: z.ZodError, given: GivenFields): string[] {
  const byField = new Map(issues.map((issue) => [issue.path.join('.') || issue.message, issue]))
  return [...byField.values()].flatMap((issue) => {
    if (issue.code === 'custom' && issue.params?.['whole']) return issue.message
    // Callers are told before; here it was stored, perhaps by a newer version.
    if (issue.code === 'unrecognized_keys') return issue.keys.map(describeUnknown)
    const [field, ...inside] = issue.path.map(String)
    const name = [field, ...inside.map((part) => `[${part}]`)].join('')
    const value = inside.reduce<unknown>(
      (around, part) => (around as Readonly<Record<string, unknown>> | undefined)?.[part],
      given[field ?? ''],
    )
    return `${name} ${complaint(field, value)}: it should be ${issue.message}.`
  })
}

function complaint(field: string | undefined, value: unknown): string {
  if (value === undefined) return 'is missing'
  if (SECRET_FIELDS.some((secretField) => secretField === field)) return 'is not usable'
  return `is ${shown(value)}`
}

function shown(value: unknown): string {
  const text = redactText(JSON.stringify(value) ?? String(value))
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

function hostFrom(text: string): string | undefined {
  return /^[^\s/?#@\\]+$/.test(text) ? URL.parse(`http://${text}`)?.host : undefined
}

function secret(isRight: (text: string) => boolean, shouldBe: string) {
  const read = z
    .string()
    .refine(isRight, shouldBe)
    .transform((text) => new Secret(text))
  // A secret that is kept already was checked when it came.
  return z.union([z.instanceof(Secret), read], shouldBe)
}

function wholeNumber(from: number, to: number) {
  const error = `a whole number from ${from} to ${to}`
  return z.int(error).min(from, error).max(to, error)
}

function oneOf<const T extends string>(words: readonly T[]) {
  return z.enum(words, `one of ${words.join(', ')}`)
}

function yesOrNo() {
  return z.boolean('true or false')
}

function listOf<T extends z.ZodType>(item: T, what: string) {
  const error = `a list of at most ${MAX_LIST} ${what}`
  return z.array(item, error).max(MAX_LIST, error)
}

function orIssue<T>(value: T | undefined, message: string, context: z.RefinementCtx): T {
  if (value !== undefined) return value
  context.addIssue({ code: 'custom', message })
  return z.NEVER
}
