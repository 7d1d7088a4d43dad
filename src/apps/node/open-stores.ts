import type { Clock } from '../../core/clock.ts'
import type { Random } from '../../core/random.ts'
import { fail, ok, type Result } from '../../core/result.ts'
import type { Secret } from '../../core/secret.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import type { KeyCheck } from '../../stores/postgres/key-check.ts'
import { openPostgresStores } from '../../stores/postgres/open.ts'
import { openSqliteSnapshot, openSqliteStores } from '../../stores/sqlite/open.ts'
import type { StartFailure } from './start-failure.ts'

type StoreFailure = Extract<StartFailure, { kind: 'store-unusable' | 'database-unusable' }>

export interface StoreOptions {
  /** It exists, and this process holds it. */
  readonly folder: string
  /** Where it is given, only the token and the key are in the folder. */
  readonly databaseUrl?: Secret | undefined
  readonly clock: Clock
  readonly random: Random
}

/** `keyCheck`: others may use the same store, and must have the same master key. */
export type ChosenStores = OpenedStores & { readonly keyCheck?: KeyCheck }

/** The store that the settings ask for. */
export async function openStores(
  options: StoreOptions,
): Promise<Result<ChosenStores, StoreFailure>> {
  const { databaseUrl, folder, clock } = options
  try {
    if (databaseUrl) return ok(await openPostgresStores({ url: databaseUrl, clock }))
    return ok(openEmbedded(options))
  } catch (error) {
    const reason = reasonOf(error)
    if (databaseUrl) return fail({ kind: 'database-unusable', reason })
    return fail({ kind: 'store-unusable', folder, reason })
  }
}

/** What the embedded store holds at this moment, to look at or to try something out. Nobody need hold the folder. */
export function openSnapshot(options: StoreOptions): Result<OpenedStores, StoreFailure> {
  try {
    return ok(openSqliteSnapshot(options))
  } catch (error) {
    return fail({ kind: 'store-unusable', folder: options.folder, reason: reasonOf(error) })
  }
}

function openEmbedded(options: StoreOptions): OpenedStores {
  const stores = openSqliteStores(options)
  // Nobody else can be at work in the folder: whoever held a lease there is dead. Without this a site whose run was
  // killed could not be run again before its lease expired. In a database of many servers it would not be true.
  stores.endAllWork()
  return stores
}

// A damaged file, a full disk, a newer schema, a database that is away: for the operator to put right, so no stack.
function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
