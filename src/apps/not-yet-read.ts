import type { SettingName } from './settings.ts'

interface NotYetRead {
  readonly why: string
  /** The one value that tells how it is anyway. */
  readonly unless?: string
}

/** Variables that have a meaning but no reader in this version. A line goes when its reader comes. */
export const NOT_YET_READ: Partial<Record<SettingName, NotYetRead>> = {}
