import { packUrls, unpackUrls } from '../core/ledger/url-list.ts'
import type { LedgerStore, UrlChunk } from '../stores/ledger-store.ts'
import type { Settled } from './channels/channel.ts'
import type { SiteLedger } from './site-ledger.ts'

/** A URL that an engine did not take, for people to look at. */
export interface FailedUrl {
  readonly url: string
  readonly engine: string
  /** `rejected`: not sent again until it changes. */
  readonly state: 'failed' | 'rejected'
  /** Of the answer; 0 where there was none. */
  readonly statusCode: number
  readonly at: number
}

/** Enough to see what is wrong. The ledger knows all of them, by their hashes. */
export const FAILED_KEPT_PER_ENGINE = 200

const LIST = 'failed'

/**
 * The list of what failed, while a run goes on. It is for people and decides nothing, so it is written once, after the
 * sending: what a killed run had yet to write fails again in the next, or does not.
 */
export interface FailedUrls {
  settled(engine: string, settled: Settled, now: number): void
  /** Everything due at the engine was sent: what failed before this run and is not due any more is well, or gone. */
  sentAll(engine: string): void
  save(): Promise<void>
}

export interface FailedUrlsOptions {
  readonly ledger: SiteLedger
  /** Those that the site has now; others are forgotten. */
  readonly engines: readonly string[]
  readonly runStartedAt: number
}

export async function openFailedUrls(options: FailedUrlsOptions): Promise<FailedUrls> {
  const { ledger, engines, runStartedAt } = options
  const kept = await readList(await ledger.chunks(), (chunk) => ledger.readChunk(chunk))
  const byEngine = new Map(
    engines.map((engine) => {
      const own = kept.filter((failed) => failed.engine === engine)
      return [engine, new Map(own.map((failed) => [failed.url, failed]))] as const
    }),
  )
  const all = () => [...byEngine.values()].flatMap((own) => [...own.values()])
  let isChanged = all().length !== kept.length
  return {
    settled(engine, { urls, state, statusCode }, now) {
      const own = byEngine.get(engine)
      if (!own) return
      if (state === 'accepted' || state === 'pending') {
        if (own.size > 0) for (const url of urls) isChanged = own.delete(url) || isChanged
        return
      }
      isChanged = true
      for (const url of urls.slice(-FAILED_KEPT_PER_ENGINE)) {
        // Anew, so that the order is that of the failures.
        own.delete(url)
        own.set(url, { url, engine, state, statusCode, at: now })
      }
      for (const url of own.keys()) {
        if (own.size <= FAILED_KEPT_PER_ENGINE) break
        own.delete(url)
      }
    },
    sentAll(engine) {
      const own = byEngine.get(engine)
      for (const { url, state, at } of own?.values() ?? []) {
        if (state === 'failed' && at < runStartedAt) isChanged = own?.delete(url) || isChanged
      }
    },
    async save() {
      if (!isChanged) return
      const lines = all().map((failed) => JSON.stringify(failed))
      const appendChunks = [{ list: LIST, count: lines.length, urls: await packUrls(lines) }]
      await ledger.write({ dropLists: [LIST], ...(lines.length > 0 && { appendChunks }) })
      isChanged = false
    },
  }
}

/** The newest first. */
export async function listFailedUrls(
  ledger: Pick<LedgerStore, 'chunks' | 'readChunk'>,
  siteId: string,
): Promise<readonly FailedUrl[]> {
  const chunks = await ledger.chunks(siteId)
  const kept = await readList(chunks, (chunk) => ledger.readChunk(siteId, chunk))
  return kept.toReversed().toSorted((a, b) => b.at - a.at)
}

async function readList(
  chunks: readonly UrlChunk[],
  read: (chunk: UrlChunk) => Promise<Uint8Array | undefined>,
): Promise<readonly FailedUrl[]> {
  const chunk = chunks.find(({ list }) => list === LIST)
  const packed = chunk && (await read(chunk))
  const lines = packed ? await unpackUrls(packed) : []
  return lines.map((line) => JSON.parse(line) as FailedUrl)
}
