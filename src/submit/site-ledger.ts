import type { LedgerChange, LedgerSnapshot, LedgerStore, UrlChunk } from '../stores/ledger-store.ts'

/** Another run has taken this one's place: nothing it writes is taken any more. */
export class RunReplaced extends Error {
  override readonly name = 'RunReplaced'
}

/** One site's part of the ledger store, as one run may use it. */
export interface SiteLedger {
  load(): Promise<LedgerSnapshot>
  numberEngines(names: readonly string[]): Promise<readonly string[]>
  record(outcomes: Uint8Array): Promise<void>
  /** All or nothing. Throws `RunReplaced` when a newer run has written. */
  write(change: Omit<LedgerChange, 'fence'>): Promise<void>
  chunks(): Promise<readonly UrlChunk[]>
  readChunk(chunk: Pick<UrlChunk, 'list' | 'number'>): Promise<Uint8Array | undefined>
}

export function openSiteLedger(store: LedgerStore, siteId: string, fence: number): SiteLedger {
  return {
    load: () => store.load(siteId),
    numberEngines: (names) => store.numberEngines(siteId, names),
    record: (outcomes) => store.record(siteId, outcomes),
    async write(change) {
      const written = await store.write(siteId, { ...change, fence })
      if (!written.ok) throw new RunReplaced(`fence ${fence} < ${written.failure.newerFence}`)
    },
    chunks: () => store.chunks(siteId),
    readChunk: (chunk) => store.readChunk(siteId, chunk),
  }
}
