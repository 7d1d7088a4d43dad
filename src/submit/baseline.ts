import { packUrls } from '../core/ledger/url-list.ts'
import type { LedgerSnapshot } from '../stores/ledger-store.ts'
import type { NewChunk } from './url-chunks.ts'
import type { SiteRun } from './site-run.ts'
import type { SitemapReport } from './sitemap/file-report.ts'

/** The files that a baseline has yet to read. While there are any, it is not finished. */
const UNFINISHED = 'baseline'

/**
 * SPEC S14: whether this run only remembers what there is. Until the sitemaps have been read whole once, whatever
 * they list was there before. The ledger tells, not the runs, of which only the last are kept.
 */
export async function isBaseline(
  { site, ledger, deps }: SiteRun,
  { sitemaps }: Pick<LedgerSnapshot, 'sitemaps'>,
): Promise<boolean> {
  if (site.firstRun !== 'baseline') return false
  if ((await ledger.chunks()).some(({ list }) => list === UNFINISHED)) return true
  if (sitemaps.length > 0) return false
  // Sitemaps without a page leave nothing in the ledger.
  const runs = await deps.stores.runs.list(site.id, 100)
  return !runs.some(({ status }) => status === 'succeeded')
}

export interface BaselineChange {
  readonly dropLists: readonly string[]
  readonly appendChunks: readonly NewChunk[]
}

/** To be written together with what the reading found. */
export async function baselineChange({ files, complete }: SitemapReport): Promise<BaselineChange> {
  const unread = files.filter(({ error }) => error !== undefined).map(({ url }) => url)
  const chunk = { list: UNFINISHED, count: unread.length, urls: await packUrls(unread) }
  return { dropLists: [UNFINISHED], appendChunks: complete ? [] : [chunk] }
}
