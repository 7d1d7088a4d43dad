import { afterEach } from 'vitest'
import { httpClient } from '../../../src/core/http.ts'
import { silentLog } from '../../../src/core/log.ts'
import { guardedFetch } from '../../../src/apps/node/guarded-fetch.ts'
import { nodeGunzip } from '../../../src/apps/node/gunzip.ts'
import { urlsOf } from '../../../src/submit/sitemap/judge-url.ts'
import { readSitemaps } from '../../../src/submit/sitemap/read-sitemap.ts'
import type { ReadOptions } from '../../../src/submit/sitemap/read-options.ts'
import { FakeClock } from '../../support/fake-clock.ts'
import { openSite, type SiteFile, type SiteStandIn, urlset } from '../../support/stand-ins/site.ts'

export interface TestedSite {
  readonly site: SiteStandIn
  readonly clock: FakeClock
  readonly read: (changes?: Partial<ReadOptions>) => Promise<Reading>
}

export interface Reading {
  readonly urls: readonly string[]
  readonly lastmods: readonly number[]
  readonly foreign: readonly string[]
  /** `status path: count`, the files in order. */
  readonly files: readonly string[]
  readonly report: Awaited<ReturnType<typeof readSitemaps>>
}

/** As the server asks for files; the stand-ins are on this machine. */
const CLIENT = {
  fetch: guardedFetch({ allowPrivate: true }),
  userAgent: 'Sluice/test',
  allowPrivate: true,
}

const open: SiteStandIn[] = []

afterEach(async () => {
  await Promise.all(open.splice(0).map((site) => site.close()))
})

export async function siteWith(files: Readonly<Record<string, SiteFile>>): Promise<TestedSite> {
  const clock = new FakeClock()
  const site = await openSite({ clock, files })
  open.push(site)
  return {
    site,
    clock,
    async read(changes) {
      const urls: string[] = []
      const lastmods: number[] = []
      const foreign: string[] = []
      const report = await readSitemaps({
        roots: [site.url('/sitemap.xml')],
        backups: [],
        host: site.host,
        allowedSitemapHosts: [],
        timeoutMs: 30_000,
        retryDelayMs: 2_000,
        http: httpClient({ ...CLIENT, clock }),
        gunzip: nodeGunzip,
        clock,
        log: silentLog,
        take: (batch) => {
          urls.push(...urlsOf(batch).map((url) => url.replace(site.origin, '')))
          lastmods.push(...batch.lastmods)
          foreign.push(...batch.foreign.map(({ loc }) => loc))
        },
        ...changes,
      })
      const files = report.files.map(
        ({ status, url, count }) => `${status} ${url.replace(site.origin, '')}: ${count}`,
      )
      return { urls, lastmods, foreign, files, report }
    },
  }
}

export const one = urlset(['{origin}/1', '2024-01-01'])
export const many = (count: number) =>
  urlset(...Array.from({ length: count }, (_, n) => `{origin}/${n}`))
