import { openLog } from '../../../src/core/log.ts'
import { openSealer } from '../../../src/core/seal.ts'
import { Secret } from '../../../src/core/secret.ts'
import { httpApp } from '../../../src/http/http-app.ts'
import { sitesRoutes } from '../../../src/submit/http/sites.ts'
import {
  createSite,
  getSite,
  type RemoveOptions,
  type SitesOptions,
} from '../../../src/submit/sites.ts'
import { begin } from '../../contracts/backend.ts'
import { countingRandom } from '../../support/counting-random.ts'
import { sqliteBackend } from '../../support/sqlite-backend.ts'

export const KEY = 'abcdef0123456789'
export const BING_KEY = 'b1n9b1n9b1n9b1n9b1n9b1n9b1n9b1n9'
export const WEBHOOK = 'https://hooks.slack.com/services/T000/B000/XXXXXXXX'
export const MINIMAL = { sitemapUrl: 'https://example.com/sitemap.xml', apiKey: KEY }

export const DEFAULTS = {
  maxConcurrentRequests: 3,
  requestIntervalMs: 100,
  maxRetries: 3,
  cacheTtlDays: 30,
}

export const sealer = openSealer({
  keyId: 'k1',
  masterKey: new Secret('a-master-key-of-some-length'),
  random: countingRandom(),
})

/** Sites over a real store. */
export async function openSites() {
  const begun = await begin(sqliteBackend)
  const { stores, clock } = begun
  const { sites, alerts, leases } = stores
  const options: RemoveOptions = { sites, alerts, leases, sealer, clock, defaults: DEFAULTS }
  return { options, stores, clock, another: () => begun.another() }
}

/** Of a site that is created without a complaint. */
export async function made(options: SitesOptions, given: object = {}) {
  const created = await createSite(options, { ...MINIMAL, ...given })
  if (!created.ok) throw new Error(JSON.stringify(created.failure))
  return created.value
}

/** As a run would have it. */
export async function run(options: SitesOptions, id = 'example.com') {
  const site = await getSite(options, id)
  if (!site.ok) throw new Error(JSON.stringify(site.failure))
  return site.value
}

export interface Reply {
  readonly status: number
  readonly body: {
    readonly success: boolean
    readonly site: Readonly<Record<string, unknown>>
    readonly sites: readonly Readonly<Record<string, unknown>>[]
    readonly error: { readonly code: string; readonly message: string }
  }
}

/** The routes behind the real gate and envelope. */
export async function openSitesApi() {
  const { options, stores, clock } = await openSites()
  const lines: string[] = []
  const app = httpApp({
    clock,
    random: countingRandom(),
    log: openLog({ clock, level: 'debug', write: (line) => lines.push(JSON.stringify(line)) }),
    tokens: {
      admin: new Secret('admin-token-0123456789'),
      read: new Secret('read-token-0123456789'),
      advice: '',
    },
    modules: [sitesRoutes(options)],
  })
  const ask = async (
    method: string,
    path: string,
    body?: unknown,
    token = 'admin',
  ): Promise<Reply> => {
    const response = await app.request(path, {
      method,
      headers: { authorization: `Bearer ${token}-token-0123456789` },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    return { status: response.status, body: (await response.json()) as Reply['body'] }
  }
  return { ask, options, stores, clock, lines }
}
