import type { SettingName } from './settings.ts'

interface NotYetRead {
  readonly why: string
  /** The one value that tells how it is anyway. */
  readonly unless?: string
}

const NO_COLLECTING: NotYetRead = { why: 'it collects nothing yet' }

/** Variables that have a meaning but no reader in this version. A line goes when its reader comes. */
export const NOT_YET_READ: Partial<Record<SettingName, NotYetRead>> = {
  COOKIE_CIPHER: { why: 'it seals everything with aes-256-gcm', unless: 'aes-256-gcm' },
  COLLECT_PLATFORMS: NO_COLLECTING,
  COLLECT_SCHEDULE: NO_COLLECTING,
  COLLECT_HOST_INTERVAL_MS: NO_COLLECTING,
  XHS_BASE_URL: NO_COLLECTING,
  WEIBO_BASE_URL: NO_COLLECTING,
  LOCK_TIMEOUT_MINUTES: NO_COLLECTING,
  RECOVERY_INTERVAL_MINUTES: NO_COLLECTING,
  COOLING_DURATION_MINUTES: NO_COLLECTING,
}
