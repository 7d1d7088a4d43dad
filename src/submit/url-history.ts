import { canonicalUrl, type UrlProblem } from '../core/canonical-url.ts'
import { openLedger, type UrlRecord } from '../core/ledger/ledger.ts'
import type { UrlState } from '../core/ledger/url-state.ts'
import { fail, ok, type Result } from '../core/result.ts'
import { hashUrl } from '../core/url-hash.ts'
import { BING_ENGINE, type LedgerStore } from '../stores/ledger-store.ts'
import type { Site } from './site.ts'

/** What happened to a URL at one engine. */
export interface UrlHistory {
  readonly channel: 'indexnow' | 'bing'
  readonly engine: string
  readonly status: UrlState | 'gone'
  readonly submittedAt: string | null
  readonly lastmod: string | null
  readonly statusCode: number | null
}

/** SPEC R08. Empty for a URL that the site has never seen. */
export async function urlHistory(
  ledger: LedgerStore,
  { id, host }: Pick<Site, 'id' | 'host'>,
  url: string,
): Promise<Result<readonly UrlHistory[], UrlProblem | 'foreign-host'>> {
  const canonical = canonicalUrl(url)
  if (!canonical.ok) return fail(canonical.failure)
  if (new URL(canonical.value).host !== host) return fail('foreign-host')
  const hash = new Uint32Array(2)
  hashUrl(canonical.value, hash)
  const [high = 0, low = 0] = hash
  const known = openLedger(await ledger.loadShard(id, high >>> 24)).lookUp(high, low)
  if (!known) return ok([])
  return ok(
    known.engines.map(({ engine, state, whenSeconds, statusCode }) => ({
      channel: engine === BING_ENGINE ? ('bing' as const) : ('indexnow' as const),
      engine,
      status: isOfDeletion(known, state) ? deletionStatus(statusCode) : state,
      submittedAt: isoOf(whenSeconds),
      lastmod: isoOf(known.lastmodSeconds),
      statusCode: statusCode ?? null,
    })),
  )
}

/**
 * What was told as deleted has changed without being in a sitemap: it is due when one lists it again. The pages of a
 * site's files beyond the 65,535 that have numbers look the same, and are told wrongly.
 */
function isOfDeletion({ file }: UrlRecord, state: UrlState): boolean {
  return state === 'changed' && file === 0
}

function deletionStatus(statusCode = 200): 'gone' | 'rejected' {
  return statusCode < 300 ? 'gone' : 'rejected'
}

function isoOf(seconds: number | undefined): string | null {
  return seconds === undefined ? null : new Date(seconds * 1_000).toISOString()
}
