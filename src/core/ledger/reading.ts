import { markAbsences, missingHashes } from './absences.ts'
import { markSeen, packSeen, type PausedReading } from './seen.ts'
import { openJudge, type ReadingSettings, type Verdict } from './judge.ts'
import { bringNear, buildIndex, closeIndex, firstRowOf, isMissing } from './reading-index.ts'
import { encodeChanges, shardAt, type LedgerRows } from './ledger-rows.ts'

export interface ReadingCounts {
  /** Different URLs that came by. */
  readonly listed: number
  readonly repeated: number
  readonly new: number
  /** Known URLs with a newer lastmod that some engine has yet to hear of. */
  readonly changed: number
  /** URLs known from sitemaps before this reading. */
  readonly known: number
  /** Of those, the ones that neither came by nor were in a seen file. Only a complete reading tells why. */
  readonly missing: number
  /** Of those, the ones that did not come by because their file was seen to be as before. */
  readonly skipped: number
}

export interface FinishedReading {
  /** The shards that changed, to be stored in place of the old. Empty bytes: the shard has no URLs left. */
  readonly shards: ReadonlyMap<number, Uint8Array>
  /** Hashes of the URLs that were forgotten because the sitemap lists them no more: high, low, high, low, … */
  readonly vanished: Uint32Array
  /** More than half were missing: taken as a mistake of the sitemap, and nothing was forgotten (SPEC S13). */
  readonly suspiciousDrop: boolean
  /**
   * The files, by number, that used to list URLs which are missing and were not forgotten. What such a file lists must
   * come by again: passed over as unchanged, it would bring back what it has lost.
   */
  readonly stillMissingFrom: ReadonlySet<number>
  readonly counts: ReadingCounts
}

/** One walk through a site's sitemap. */
export interface Reading {
  /**
   * Takes note of a URL and tells where it is due. `lastmod` as by `ledgerSeconds`; `file` from 1 to 65535, or 0 for
   * a file without a number: a URL of such a one never counts as vanished.
   */
  judge(high: number, low: number, lastmod: number, file: number): Verdict
  /** These hashes (high, low, high, low, …) are judged next: said of many at once, each takes half as long. */
  expect(hashes: Uint32Array): void
  /** The file is as it was (SPEC S07): all URLs last seen in it count as seen. */
  seenFile(file: number): void
  /**
   * Ends this part of the reading. The shards and what is paused are to be stored together; opened with both, the next
   * part goes on as if nothing had been between. Nothing is judged to be missing before the last part is finished.
   */
  pause(): { readonly shards: FinishedReading['shards']; readonly paused: PausedReading }
  /** Ends the reading. Only a complete one, of every file to its end, tells what vanished. */
  finish(end: { readonly complete: boolean }): FinishedReading
}

export function openReading(ledger: LedgerRows, settings: ReadingSettings): Reading {
  const { baseline = 0 } = settings
  // What a baseline has yet to mark must not be passed over as quiet.
  const index = buildIndex(ledger.shards, { ...settings, engines: settings.engines | baseline })
  ledger.index = index
  const { paused } = settings
  if (paused) markSeen(index, paused.seen)
  const known = paused?.known ?? index.known
  for (const { judged } of ledger.fresh.chunks) judged.fill(0)
  const { judge, counts } = openJudge(ledger, index, settings)
  const seenFiles = new Uint8Array(2 ** 16)

  return {
    judge,
    expect: (hashes) => bringNear(index, hashes),
    seenFile: (file) => {
      seenFiles[file] = 1
    },
    pause() {
      if (ledger.index !== index) throw new Error('This reading is over.')
      ledger.index = undefined
      const pack = packSeen(ledger, index)
      const shards = encodeChanges(ledger)
      const seen = pack(ledger.shards)
      closeIndex(index)
      return { shards, paused: { seen, known, counts: { ...counts } } }
    },
    finish({ complete }) {
      if (ledger.index !== index) throw new Error('This reading is over.')
      ledger.index = undefined
      const absences = markAbsences(ledger.shards, { index, files: seenFiles })
      const { missing, skipped } = absences
      const suspiciousDrop = complete && missing * 2 > known
      const forgets = complete && !suspiciousDrop && missing > 0
      const vanished = missingHashes(ledger.shards, index, forgets ? missing : 0)
      for (let n = 0; n < vanished.length; n += 2) {
        shardAt(ledger, vanished[n] as number).dirty = true
      }
      if (!forgets) closeIndex(index)
      const isGone = (shard: number, at: number) => isMissing(index, firstRowOf(index, shard) + at)
      return {
        shards: encodeChanges(ledger, forgets ? isGone : undefined),
        vanished,
        suspiciousDrop,
        stillMissingFrom: forgets ? new Set() : absences.missingFrom,
        counts: { ...counts, known, missing, skipped },
      }
    },
  }
}
