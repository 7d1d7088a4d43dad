import { type Ledger, openLedger } from '../core/ledger/ledger.ts'
import type { LedgerSnapshot } from '../stores/ledger-store.ts'
import type { SiteLedger } from './site-ledger.ts'

/** A site's ledger in memory, and what is stored beside it. */
export interface LoadedLedger extends Pick<LedgerSnapshot, 'sitemaps' | 'outcomesThrough'> {
  readonly ledger: Ledger
}

/** The stored bytes are not handed on: who kept them would hold all that the ledger has replaced. */
export async function loadLedger(store: SiteLedger): Promise<LoadedLedger> {
  const { sitemaps, outcomesThrough, ...bytes } = await store.load()
  return { ledger: openLedger(bytes), sitemaps, outcomesThrough }
}

/** Below this share of a site's URLs, folding costs more than whoever opens the ledger next would spend on them. */
const WORTH_FOLDING = 0.25

/**
 * Writes a run's outcomes into the shards, when they are many, as after a first run: every hook and the next run
 * would have to go through them all before they could begin.
 */
export async function foldOutcomes(
  store: SiteLedger,
  { outcomes, urls }: { readonly outcomes: number; readonly urls: number },
): Promise<void> {
  if (outcomes === 0 || outcomes < urls * WORTH_FOLDING) return
  const { ledger, outcomesThrough } = await loadLedger(store)
  await store.write({ shards: ledger.fold(), foldedThrough: outcomesThrough })
}
