import { detached, type EntryBatch } from './entries.ts'
import type { FileFailure } from './failures.ts'
import { judgeUrls, originsOf } from './judge-url.ts'
import { MAX_FILE_BYTES } from './limits.ts'
import type { IndexEntry, SitemapFile } from './file-report.ts'
import type { ReadOptions } from './read-options.ts'
import { openScan } from './scan.ts'
import type { Arrived } from './scan-state.ts'
import type { SitemapFormat } from './shapes.ts'
import { countInvalid, newTally, type Tally } from './tally.ts'

/** One file's decompressed bytes on their way through the scanner to whoever takes the URLs. */
export interface FileScan {
  readonly tally: Tally
  /** What an index names. */
  readonly children: readonly IndexEntry[]
  take(chunk: Uint8Array): Promise<void>
  /** Undefined when the document was read whole. */
  end(arrived: Arrived): Promise<FileFailure | undefined>
  format(): SitemapFormat | undefined
  bytes(): number
  /** Whether more bytes are not wanted. Those of a complete document still are: the connection can be used again. */
  isStopped(): boolean
  /** Whether nothing that comes could change the end. */
  isOver(): boolean
  /** The same by all that has come, be it little; while some of it is being taken, nobody can tell. */
  isOverByNow(): boolean
}

export function openFileScan(file: SitemapFile, { host, take, budget }: ReadOptions): FileScan {
  const tally = newTally()
  const children: IndexEntry[] = []
  const onInvalid = (reason: Parameters<typeof countInvalid>[1], value: string) =>
    countInvalid(tally, reason, value)
  const origins = originsOf(host)
  const scan = openScan({ onDrop: onInvalid, origins: origins.canonical })
  let bytes = 0
  let isTaking = false
  let stopped: FileFailure | undefined

  const deliver = async (batch: EntryBatch) => {
    if (batch.count === 0) return
    if (scan.format() === 'sitemapindex') return addChildren(children, batch)
    const judged = judgeUrls(batch, { origins, onInvalid })
    if (budget?.take('urls', judged.count) === false) {
      stopped = { kind: 'stopped', by: 'urls' }
      return
    }
    tally.urls += judged.count
    tally.foreign += judged.foreign.length
    await take({ file, ...judged })
  }
  const judgeStop = (): FileFailure | undefined => {
    if (bytes > MAX_FILE_BYTES) return { kind: 'too-large' }
    const by = budget?.exhausted()
    // Without requests to spare, this one is under way all the same.
    return by === 'timeMs' || by === 'urls' ? { kind: 'stopped', by } : undefined
  }
  const broken = () => {
    const end = scan.isOver() ? scan.end() : undefined
    return end === undefined || end.kind === 'whole' ? undefined : end
  }
  return {
    tally,
    children,
    async take(chunk) {
      if (stopped) return
      bytes += chunk.length
      stopped = judgeStop()
      if (stopped || scan.isOver()) return
      isTaking = true
      scan.push(chunk)
      await deliver(scan.take())
      isTaking = false
      stopped ??= broken()
    },
    async end(arrived) {
      if (stopped) return stopped
      const end = scan.end(arrived)
      await deliver(scan.take())
      const { count, first } = scan.badDates()
      tally.badDates = count
      tally.badDate = detached(first)
      return stopped ?? (end.kind === 'whole' ? undefined : end)
    },
    format: () => scan.format(),
    bytes: () => bytes,
    isStopped: () => stopped !== undefined,
    isOver: () => stopped !== undefined || scan.isOver(),
    isOverByNow() {
      if (isTaking) return false
      scan.catchUp()
      return scan.isOver()
    },
  }
}

function addChildren(children: IndexEntry[], { count, lastmods, locAt }: EntryBatch): void {
  for (let i = 0; i < count; i++) {
    children.push({ loc: detached(locAt(i)), lastmod: lastmods[i] as number })
  }
}
