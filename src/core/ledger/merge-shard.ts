import { copyRow, isBefore, type Rows } from './rows.ts'
import { allocateShard, type StoredShard } from './shard-blob.ts'

export interface MergedParts {
  readonly stored: StoredShard
  /** New rows, none of which is among the stored. */
  readonly fresh: StoredShard
  /** Whether a row of `stored` is to be left out. */
  readonly isGone: ((at: number) => boolean) | undefined
}

/** Two sorted shards as one, without the rows that are gone. */
export function mergeShard({ stored, fresh, isGone }: MergedParts): StoredShard {
  const staying = countStaying(stored, isGone)
  if (staying === 0) return fresh
  if (fresh.count === 0 && staying === stored.count) return stored

  const merged = allocateShard(staying + fresh.count, fresh.engines)
  let to = 0
  let next = 0
  for (let at = 0; at < stored.count; at++) {
    if (isGone?.(at)) continue
    for (; next < fresh.count && isBefore(fresh, next, stored, at); next++) {
      copyRow(fresh, next, merged, to++)
    }
    copyRow(stored, at, merged, to++)
  }
  for (; next < fresh.count; next++) copyRow(fresh, next, merged, to++)
  return merged
}

function countStaying({ count }: Rows, isGone: MergedParts['isGone']): number {
  if (!isGone) return count
  let staying = 0
  for (let at = 0; at < count; at++) if (!isGone(at)) staying++
  return staying
}
