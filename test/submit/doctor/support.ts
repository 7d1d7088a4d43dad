import { expect, onTestFinished } from 'vitest'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import { httpClient } from '../../../src/core/http.ts'
import { Secret } from '../../../src/core/secret.ts'
import type { FindingCode } from '../../../src/submit/doctor/codes.ts'
import { examineSite } from '../../../src/submit/doctor/examine-site.ts'
import type { Finding } from '../../../src/submit/doctor/finding.ts'
import { type Patient, patientFrom } from '../../../src/submit/doctor/patient.ts'
import { begin } from '../../contracts/backend.ts'
import { withoutChinese } from '../../support/chinese.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { sqliteBackend } from '../../support/sqlite-backend.ts'
import { openBing } from '../../support/stand-ins/bing.ts'
import { openIndexNowEngine } from '../../support/stand-ins/indexnow-engine.ts'
import { openSite, type SiteFile, urlset } from '../../support/stand-ins/site.ts'

export const SITE = 'https://example.com'
export const ENGINE = 'https://www.bing.com/indexnow'
/** Must never be seen beyond its first four characters. */
export const KEY = 'c4n4ry0fk3y5a1b2c3d4'
export const BING_KEY = 'b1ngc4n4ryofk3y5'
/** Stands in a query where one is allowed: no message may hold it. */
export const IN_QUERY = 'querycanary'

const TEXT = { 'content-type': 'text/plain; charset=utf-8' }
export const keyFile = (body: string | Uint8Array, headers: Record<string, string> = TEXT) => ({
  body,
  headers,
})

/** A site with which nothing is wrong. */
const HEALTHY: Readonly<Record<string, SiteFile>> = {
  [`/${KEY}.txt`]: keyFile(KEY),
  '/robots.txt': `User-agent: *\nDisallow: /private\n\nSitemap: ${SITE}/sitemap.xml\n`,
  '/sitemap.xml': urlset(
    [`${SITE}/`, '2025-01-02'],
    [`${SITE}/a?x=${IN_QUERY}`, '2025-01-03T10:00:00Z'],
  ),
}

export interface Changes {
  /** Undefined removes the file. */
  readonly files?: Readonly<Record<string, SiteFile | undefined>>
  readonly patient?: Partial<Patient>
  /** The time of the doctor; the others keep theirs. */
  readonly doctorsTime?: string
  readonly signal?: AbortSignal
}

/** A strict engine, a Bing that counts and a site, under their real names; the time is made up. */
export async function openPractice() {
  const { clock, stores } = await begin(sqliteBackend)
  const site = await openSite({ clock, files: HEALTHY })
  const engine = await openIndexNowEngine({ clock })
  const bing = await openBing({ clock, apiKey: BING_KEY, sites: [{ url: SITE, dailyQuota: 100 }] })
  onTestFinished(async () => {
    await Promise.all([site.close(), engine.close(), bing.close()])
  })
  const origins: Record<string, string> = {
    [SITE]: site.origin,
    [new URL(ENGINE).origin]: engine.origin,
    'https://ssl.bing.com': bing.origin,
  }
  /** As names are resolved; a name that is not known is not found. */
  const fetchByName: typeof fetch = (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input)
    const origin = origins[url.origin]
    if (origin) return fetch(`${origin}${url.pathname}${url.search}`, init)
    const cause = Object.assign(new Error('not found'), { code: 'ENOTFOUND' })
    return Promise.reject(new TypeError('fetch failed', { cause }))
  }

  const examine = async ({ files = {}, patient, doctorsTime, signal }: Changes = {}) => {
    for (const [path, file] of Object.entries(files)) {
      if (file === undefined) site.remove(path)
      else site.put({ [path]: file })
    }
    const ownClock = doctorsTime === undefined ? clock : new FakeClock(doctorsTime)
    const found = await examineSite(
      {
        ...patientFrom({
          sitemapUrl: `${SITE}/sitemap.xml`,
          key: KEY,
          searchEngines: [ENGINE],
        }),
        ...patient,
      },
      {
        http: httpClient({
          fetch: fetchByName,
          clock: ownClock,
          userAgent: 'Sluice/test',
          allowPrivate: true,
        }),
        clock: ownClock,
        gunzip: nodeGunzip,
        quota: stores.quota,
        settings: {
          sitemapTimeoutMs: 30_000,
          bingApiUrl: bing.apiUrl.replace(bing.origin, 'https://ssl.bing.com'),
        },
        signal: signal ?? new AbortController().signal,
      },
    )
    tellsNoSecret(found)
    expect(withoutChinese(found.flatMap(({ message, fix = [] }) => [message, fix].flat()))).toEqual(
      [],
    )
    expect(engine.received.size).toBe(0)
    expect(bing.accepted).toEqual([])
    expect([...engine.complaints, ...bing.complaints]).toEqual([])
    return found
  }
  return { clock, site, engine, bing, stores, origins, examine }
}

export type Practice = Awaited<ReturnType<typeof openPractice>>

export const bingWith = (apiKey: string): Pick<Patient, 'bing'> => ({
  bing: { apiKey: new Secret(apiKey), dailyQuota: 100, priority: 'newest' },
})

/** The codes of what is not ok. */
export function problems(found: readonly Finding[]): FindingCode[] {
  return found.filter(({ level }) => level !== 'ok').map(({ code }) => code)
}

export function codes(found: readonly Finding[]): FindingCode[] {
  return found.map(({ code }) => code)
}

export function only(found: readonly Finding[], code: FindingCode): Finding {
  const [one, ...others] = found.filter((each) => each.code === code)
  if (!one || others.length > 0) throw new Error(`${code}: ${JSON.stringify(found, undefined, 2)}`)
  return one
}

/** SPEC S21, and no query anywhere: whatever is found is printed, logged and sent about. */
function tellsNoSecret(found: readonly Finding[]): void {
  const text = JSON.stringify(found)
  for (const secret of [KEY, BING_KEY]) expect(text).not.toContain(secret.slice(0, 5))
  expect(text).not.toContain(IN_QUERY)
  for (const one of found) {
    if (one.level !== 'ok') expect(one.fix, one.code).toMatch(/\w/)
  }
}
