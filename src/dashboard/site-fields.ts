import type { JsonObject } from '../core/json.ts'

/** How each setting of a site is asked for. The order is that of the page. */
export const SITE_FORM = {
  sitemapUrl: { kind: 'text', group: 'basics', required: true },
  apiKey: { kind: 'secret', group: 'basics', required: true },
  name: { kind: 'text', group: 'basics' },
  searchEngines: { kind: 'list', group: 'basics' },
  enabled: { kind: 'switch', group: 'basics' },
  bingEnabled: { kind: 'switch', group: 'bing' },
  bingApiKey: { kind: 'secret', group: 'bing' },
  bingDailyQuota: { kind: 'quota', group: 'bing' },
  bingPriority: { kind: 'choice', group: 'bing', choices: ['newest', 'random'] },
  sitemapUrls: { kind: 'list', group: 'more' },
  backupSitemapUrl: { kind: 'text', group: 'more' },
  allowedSitemapHosts: { kind: 'list', group: 'more' },
  keyLocation: { kind: 'text', group: 'more' },
  submitMode: { kind: 'choice', group: 'more', choices: ['auto', 'get', 'post'] },
  firstRun: { kind: 'choice', group: 'more', choices: ['submit', 'baseline'] },
  submitDeleted: { kind: 'switch', group: 'more' },
  maxConcurrentRequests: { kind: 'number', group: 'more' },
  requestIntervalMs: { kind: 'number', group: 'more' },
  maxRetries: { kind: 'number', group: 'more' },
  cacheTtlDays: { kind: 'number', group: 'more' },
  webhookUrl: { kind: 'secret', group: 'more' },
} as const satisfies Record<string, Field>

export type FieldName = keyof typeof SITE_FORM

export type Choice = 'newest' | 'random' | 'auto' | 'get' | 'post' | 'submit' | 'baseline'

export interface Field {
  readonly kind: 'text' | 'secret' | 'list' | 'switch' | 'number' | 'quota' | 'choice'
  readonly group: 'basics' | 'bing' | 'more'
  readonly required?: boolean
  readonly choices?: readonly Choice[]
}

export const FIELD_NAMES = Object.keys(SITE_FORM) as readonly FieldName[]

type Fields = ReadonlyMap<string, string>

/**
 * What `createSite` and `changeSite` take. A field that was left empty goes back to its default; a secret that was left
 * empty is the one that is kept.
 */
export function givenFrom(fields: Fields, kind: 'new' | 'change'): Record<string, unknown> {
  const given: Record<string, unknown> = {}
  for (const name of FIELD_NAMES) {
    const value = valueOf(SITE_FORM[name], fields.get(name)?.trim() ?? '')
    if (value !== undefined) given[name] = value
    else if (kind === 'change' && SITE_FORM[name].kind !== 'secret') given[name] = null
  }
  return given
}

function valueOf({ kind }: Field, text: string): unknown {
  if (kind === 'switch') return text !== ''
  if (text === '') return undefined
  if (kind === 'list') return linesOf(text)
  // What is no number is told by the settings' own words.
  if (kind === 'number' || (kind === 'quota' && text !== 'auto'))
    return Number.isNaN(Number(text)) ? text : Number(text)
  return text
}

const linesOf = (text: string) =>
  text
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== '')

/** What the form shows of a stored site; a secret shows nothing. */
export function shownValue(name: FieldName, stored: JsonObject): string {
  const { kind } = SITE_FORM[name]
  const value = stored[name]
  if (kind === 'secret' || value === undefined || value === null) return ''
  if (Array.isArray(value)) return value.join('\n')
  if (typeof value === 'boolean') return value ? 'yes' : ''
  return typeof value === 'object' ? '' : String(value)
}
