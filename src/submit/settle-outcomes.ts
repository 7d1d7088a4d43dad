import { ledgerSeconds } from '../core/ledger/ledger-seconds.ts'
import { packOutcomes } from '../core/ledger/outcomes.ts'
import { packState } from '../core/ledger/url-state.ts'
import { canonicalUrl } from '../core/canonical-url.ts'
import { hashUrl } from '../core/url-hash.ts'
import type { Settled } from './channels/channel.ts'
import type { SiteLedger } from './site-ledger.ts'

export interface SettleOptions {
  /** The engine's number in the site's ledger. */
  readonly engine: number
  readonly ledger: Pick<SiteLedger, 'record'>
  readonly now: number
  /** Those of the URLs that were sent because they are gone. */
  readonly deletions?: ReadonlySet<string>
}

/** Writes what became of some URLs, and gives their hashes, high and low in turn. */
export async function settleOutcomes(
  settled: Settled,
  options: SettleOptions,
): Promise<Uint32Array> {
  const { engine, ledger, now, deletions } = options
  const hashes = hashesOf(settled.urls)
  const stateByte = packState(settled.state, settled.statusCode)
  const isHeard = settled.state !== 'failed'
  const asDeletion = isHeard ? packState('changed', settled.statusCode) : stateByte
  const entries = settled.urls.map((url, i) => ({
    high: hashes[2 * i] as number,
    low: hashes[2 * i + 1] as number,
    stateByte: deletions?.has(url) ? asDeletion : stateByte,
  }))
  await ledger.record(packOutcomes({ engine, whenSeconds: ledgerSeconds(now), entries }))
  return hashes
}

/** High and low half of each URL's hash, in turn. */
export function hashesOf(urls: readonly string[]): Uint32Array {
  const hashes = new Uint32Array(2 * urls.length)
  urls.forEach((url, i) => {
    const canonical = canonicalUrl(url)
    hashUrl(canonical.ok ? canonical.value : url, hashes, 2 * i)
  })
  return hashes
}
