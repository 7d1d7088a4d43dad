import type { Json } from '../core/json.ts'
import type { Result } from '../core/result.ts'

/** A site as it is kept. What its settings mean is the submit side's business; secrets in them are sealed. */
export interface SiteRecord {
  readonly id: string
  readonly settings: Json
  readonly createdAt: number
  readonly updatedAt: number
  /** Grows by one with every change. */
  readonly version: number
}

export type SiteExists = { readonly kind: 'site-exists'; readonly id: string }
export type SiteMissing = { readonly kind: 'site-missing'; readonly id: string }
/** Somebody else changed the site since it was read: read it again. */
export type SiteChanged = { readonly kind: 'site-changed'; readonly id: string }

/** Each call is atomic. */
export interface SiteStore {
  create(id: string, settings: Json): Promise<Result<SiteRecord, SiteExists>>
  /** Replaces the settings of the version that was read; never overwrites a change it has not seen. */
  replace(
    read: Pick<SiteRecord, 'id' | 'version'>,
    settings: Json,
  ): Promise<Result<SiteRecord, SiteMissing | SiteChanged>>
  /** Forgets the site with its ledger, runs and totals, but not what it spent today. False when there was none. */
  remove(id: string): Promise<boolean>
  get(id: string): Promise<SiteRecord | undefined>
  /** By id. */
  list(): Promise<readonly SiteRecord[]>
}
