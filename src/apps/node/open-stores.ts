import { fail, ok, type Result } from '../../core/result.ts'
import {
  type OpenedStores,
  type OpenOptions,
  openSqliteSnapshot,
  openSqliteStores,
} from '../../stores/sqlite/open.ts'
import type { StartFailure } from './start-failure.ts'

type StoreFailure = Extract<StartFailure, { kind: 'store-unusable' }>

/** The store that the settings ask for: so far always the embedded one, in a folder that this process holds. */
export function openStores(options: OpenOptions): Result<OpenedStores, StoreFailure> {
  return orUnusable(options, () => {
    const stores = openSqliteStores(options)
    // Nobody else can be at work in the folder: whoever held a lease there is dead. Without this a site whose run was
    // killed could not be run again before its lease expired.
    stores.endAllWork()
    return stores
  })
}

/** What the store holds at this moment, to look at or to try something out. Nobody need hold the folder. */
export function openSnapshot(options: OpenOptions): Result<OpenedStores, StoreFailure> {
  return orUnusable(options, () => openSqliteSnapshot(options))
}

function orUnusable(
  { folder }: OpenOptions,
  open: () => OpenedStores,
): Result<OpenedStores, StoreFailure> {
  try {
    return ok(open())
  } catch (error) {
    // A damaged file, a full disk, a newer schema: for the operator to put right, so no stack.
    const reason = error instanceof Error ? error.message : String(error)
    return fail({ kind: 'store-unusable', folder, reason })
  }
}
