import type { Stores } from './stores.ts'

/** Every store of one backend, for as long as it is open. */
export interface OpenedStores extends Stores {
  /** Throws when the backend does not answer. */
  check(): void | Promise<void>
  close(): void | Promise<void>
}
