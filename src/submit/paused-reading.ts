import { packUrls, unpackUrls } from '../core/ledger/url-list.ts'
import type { PausedReading } from '../core/ledger/seen.ts'
import type { SavedChoice } from './choose-urls.ts'
import type { NewChunk } from './url-chunks.ts'
import type { SiteLedger } from './site-ledger.ts'
import type { FileRead } from './sitemap/file-report.ts'

const STATE = 'slice:reading'
const SEEN = 'slice:seen'

/** To be dropped when the reading is over. */
export const PAUSED_LISTS: readonly string[] = [STATE, SEEN]

/** A run's reading between two of its slices; what it found so far is in the shards and the lists. */
export interface SavedReading {
  /** A reading that another run left behind is nobody's. */
  readonly runId: string
  /** Those that are through. One that was broken off is read again from its start: it may have changed since. */
  readonly files: readonly FileRead[]
  readonly counts: { readonly listed: number; readonly new: number }
  readonly baseline: boolean
  readonly bing: SavedChoice
  readonly reading: PausedReading
}

/** To be written together with the shards and the lists of what is due: none is true without the others. */
export async function savedChunks({ reading, ...saved }: SavedReading): Promise<NewChunk[]> {
  const { seen, ...paused } = reading
  const state = await packUrls([JSON.stringify({ ...saved, paused })])
  return [
    { list: STATE, count: 0, urls: state },
    { list: SEEN, count: 0, urls: seen },
  ]
}

export async function loadSavedReading(
  ledger: SiteLedger,
  runId: string,
): Promise<SavedReading | undefined> {
  const [state, seen] = [await onlyChunk(ledger, STATE), await onlyChunk(ledger, SEEN)]
  if (!state || !seen) return undefined
  const [text = ''] = await unpackUrls(state)
  const { paused, ...saved } = JSON.parse(text) as Omit<SavedReading, 'reading'> & {
    readonly paused: Omit<PausedReading, 'seen'>
  }
  return saved.runId === runId ? { ...saved, reading: { ...paused, seen } } : undefined
}

async function onlyChunk(ledger: SiteLedger, list: string): Promise<Uint8Array | undefined> {
  const chunk = (await ledger.chunks()).find((other) => other.list === list)
  return chunk && ledger.readChunk(chunk)
}
