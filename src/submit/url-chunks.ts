import { halvesOf, type UrlLines, urlLinesOf } from '../core/ledger/url-lines.ts'
import { packLines } from '../core/ledger/url-list.ts'
import type { LedgerChange } from '../stores/ledger-store.ts'

export type NewChunk = NonNullable<LedgerChange['appendChunks']>[number]

/** https://developers.cloudflare.com/durable-objects/platform/limits: a row holds 2 MB, and the list's name is in it too. */
const MOST_BYTES = 1_900_000

/** URLs for a list, in order: one chunk, or more where they do not pack small enough for a row. */
export function urlChunks(list: string, urls: readonly string[]): Promise<NewChunk[]> {
  return lineChunks(list, urlLinesOf(urls))
}

export async function lineChunks(list: string, lines: UrlLines): Promise<NewChunk[]> {
  const { count } = lines
  const packed = await packLines(lines)
  if (packed.length <= MOST_BYTES || count === 1) return [{ list, count, urls: packed }]
  const [first, others] = halvesOf(lines)
  return [...(await lineChunks(list, first)), ...(await lineChunks(list, others))]
}
