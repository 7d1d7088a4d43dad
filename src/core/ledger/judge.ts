import { dueEngines, failedEngines, takeAsBaseline, takeNewerLastmod, type DueRule } from './due.ts'
import type { FreshChunk } from './fresh-rows.ts'
import {
  crossFile,
  crossLastmod,
  findRow,
  findSame,
  firstRowOf,
  isQuiet,
  markJudged,
  type ReadingIndex,
} from './reading-index.ts'
import {
  findFreshOrAdd,
  foundNothing,
  prepareToChange,
  shardAt,
  type LedgerRows,
} from './ledger-rows.ts'
import type { PausedReading } from './seen.ts'
import { shardOf } from './shard-blob.ts'

export interface ReadingSettings extends DueRule {
  /** Engines, as bits, that take URLs they never got as sent already: `firstRun: baseline` (SPEC S14). */
  readonly baseline?: number
  /** What an earlier part of the same reading left, together with the shards it wrote. */
  readonly paused?: PausedReading
}

/** What the ledger says to a URL that comes by. One object for all URLs: valid until the next is judged. */
export interface Verdict {
  /** Came by before in this reading (SPEC S06): then it is due nowhere. */
  readonly repeated: boolean
  /** Never seen before this reading. */
  readonly isNew: boolean
  /** Engines to which it is to be sent now, as bits. */
  readonly due: number
  /** Those of `due` where its last sending failed: they come first (SPEC S12). */
  readonly failed: number
}

export interface Judge {
  readonly judge: (high: number, low: number, lastmod: number, file: number) => Verdict
  readonly counts: {
    readonly listed: number
    readonly repeated: number
    readonly new: number
    readonly changed: number
  }
}

/** The reading's hot path: called for every URL of the sitemap, so it makes no objects. */
export function openJudge(
  ledger: LedgerRows,
  index: ReadingIndex,
  settings: ReadingSettings,
): Judge {
  const { baseline = 0, nowSeconds } = settings
  const baselineMark = { engines: baseline, nowSeconds }
  const counts = { listed: 0, repeated: 0, new: 0, changed: 0, ...settings.paused?.counts }
  const verdict = { repeated: false, isNew: false, due: 0, failed: 0 }
  const found = foundNothing(ledger)

  function judgeSame(row: number, high: number, lastmod: number, file: number): Verdict {
    startVerdict(markJudged(index, row))
    return isQuiet(index, row) ? verdict : weighStored(row, high, lastmod, file)
  }

  function judgeOther(high: number, low: number, lastmod: number, file: number): Verdict {
    const row = findRow(index, shardAt(ledger, high), high, low)
    if (row < 0) return judgeFresh(high, low, lastmod, file)
    startVerdict(markJudged(index, row))
    return weighStored(row, high, lastmod, file)
  }

  function weighStored(row: number, high: number, lastmod: number, file: number): Verdict {
    found.shard = shardAt(ledger, high)
    found.rows = found.shard.stored
    found.at = row - firstRowOf(index, shardOf(high))
    return weigh(lastmod, file)
  }

  function judgeFresh(high: number, low: number, lastmod: number, file: number): Verdict {
    findFreshOrAdd(ledger, high, low, found)
    const { judged } = found.rows as FreshChunk
    startVerdict(judged[found.at] === 1)
    judged[found.at] = 1
    if (found.isNew) {
      verdict.isNew = true
      counts.new++
    }
    return weigh(lastmod, file)
  }

  function startVerdict(isRepeated: boolean): void {
    verdict.repeated = isRepeated
    verdict.isNew = false
    verdict.due = 0
    verdict.failed = 0
    if (isRepeated) counts.repeated++
    else counts.listed++
  }

  function weigh(lastmod: number, file: number): Verdict {
    noteSighting(lastmod, file)
    if (verdict.repeated) return verdict
    verdict.due = dueEngines(found.rows, found.at, settings)
    verdict.failed = failedEngines(found.rows, found.at, verdict.due)
    return verdict
  }

  function noteSighting(lastmod: number, file: number): void {
    const isNews = lastmod > (found.rows.lastmod[found.at] as number)
    // A URL in two files stays with the one that was read first, or it would change with every reading.
    const isElsewhere = !verdict.repeated && file !== found.rows.file[found.at]
    if (!isNews && !isElsewhere && baseline === 0) return

    if (found.shard || baseline !== 0) prepareToChange(ledger, found)
    const { rows, at } = found
    if (isNews && takeNewerLastmod(rows, at, lastmod)) counts.changed++
    if (isElsewhere) rows.file[at] = file
    if (baseline !== 0) takeAsBaseline(rows, at, baselineMark)
  }

  return {
    judge(high, low, lastmod, file) {
      if (ledger.index !== index) throw new Error('This reading is over.')
      const row = findSame(index, high, crossFile(high, file), crossLastmod(low, lastmod))
      return row >= 0 ? judgeSame(row, high, lastmod, file) : judgeOther(high, low, lastmod, file)
    },
    counts,
  }
}
