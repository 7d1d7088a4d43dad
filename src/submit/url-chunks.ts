import { packUrls } from '../core/ledger/url-list.ts'
import type { LedgerChange } from '../stores/ledger-store.ts'

export type NewChunk = NonNullable<LedgerChange['appendChunks']>[number]

/** https://developers.cloudflare.com/durable-objects/platform/limits: a row holds 2 MB, and the list's name is in it too. */
const MOST_BYTES = 1_900_000

/** URLs for a list, in order: one chunk, or more where they do not pack small enough for a row. */
export async function urlChunks(list: string, urls: readonly string[]): Promise<NewChunk[]> {
  const packed = await packUrls(urls)
  if (packed.length <= MOST_BYTES || urls.length === 1) {
    return [{ list, count: urls.length, urls: packed }]
  }
  const half = Math.ceil(urls.length / 2)
  return [
    ...(await urlChunks(list, urls.slice(0, half))),
    ...(await urlChunks(list, urls.slice(half))),
  ]
}
