import { openBudget } from '../../core/budget.ts'
import { silentLog } from '../../core/log.ts'
import { ledgerSeconds } from '../../core/ledger/ledger-seconds.ts'
import { readSitemaps } from '../sitemap/read-sitemap.ts'
import { urlsOf } from '../sitemap/judge-url.ts'
import type { SitemapReport } from '../sitemap/file-report.ts'
import type { UrlBatch } from '../sitemap/read-options.ts'
import type { Care } from './care.ts'
import { FUTURE_MS, SITEMAP_MS, SITEMAP_RETRY_MS } from './limits.ts'
import type { Patient } from './patient.ts'

/** What reading all sitemaps of a site showed. */
export interface Survey {
  readonly report: SitemapReport
  /** Of the site's own URLs: those with a date, and those with one that is still to come. */
  readonly dated: number
  readonly future: number
  /** Of other hosts' URLs, by host; the most frequent first. */
  readonly foreignHosts: readonly string[]
  /** The folder that the key file covers, `/` for the whole host; and how many URLs are not in it. */
  readonly folder: string
  readonly outside: number
  /** One of them, as it may be printed. */
  readonly outsidePath: string
}

/** Reads everything as a run would, and keeps nothing. */
export async function surveySitemap(patient: Patient, care: Care): Promise<Survey> {
  const { http, gunzip, clock, signal, settings } = care
  const { sitemapUrl, sitemapUrls, backupSitemapUrl, host, allowedSitemapHosts } = patient
  const folder = folderOf(patient.keyLocation)
  const seen = { dated: 0, future: 0, outside: 0, outsidePath: '' }
  const foreign = new Map<string, number>()
  const tomorrow = ledgerSeconds(clock.now() + FUTURE_MS)

  const take = (batch: UrlBatch) => {
    for (const lastmod of batch.lastmods) {
      if (lastmod > 0) seen.dated++
      if (lastmod > tomorrow) seen.future++
    }
    for (const { loc } of batch.foreign) countHost(foreign, loc)
    if (folder === '/') return
    for (const url of urlsOf(batch)) {
      const path = URL.parse(url)?.pathname ?? '/'
      if (path.startsWith(folder)) continue
      seen.outside++
      seen.outsidePath ||= path.slice(0, 200)
    }
  }
  const report = await readSitemaps({
    roots: [sitemapUrl, ...sitemapUrls],
    backups: backupSitemapUrl === undefined ? [] : [backupSitemapUrl],
    host,
    allowedSitemapHosts,
    timeoutMs: Math.min(settings.sitemapTimeoutMs, SITEMAP_MS),
    retryDelayMs: SITEMAP_RETRY_MS,
    http,
    gunzip,
    clock,
    log: silentLog,
    signal,
    budget: openBudget({ timeMs: SITEMAP_MS }, clock),
    take,
  })
  const hosts = [...foreign].toSorted(([, a], [, b]) => b - a).map(([name]) => name)
  return { report, ...seen, foreignHosts: hosts, folder }
}

/** The folder of `keyLocation` bounds the URLs it covers. */
function folderOf(keyLocation: string): string {
  const path = URL.parse(keyLocation)?.pathname ?? '/'
  return path.slice(0, path.lastIndexOf('/') + 1)
}

/** A sitemap may be nothing but other hosts, a million of them. */
const MOST_HOSTS = 20

function countHost(hosts: Map<string, number>, loc: string): void {
  const host = URL.parse(loc)?.host
  if (!host || (hosts.size >= MOST_HOSTS && !hosts.has(host))) return
  hosts.set(host, (hosts.get(host) ?? 0) + 1)
}
