import type { Clock } from '../../core/clock.ts'
import { minutes } from '../../core/duration.ts'
import type { HttpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { type Collector, openCollector } from '../../collect/collector.ts'
import type { Collecting } from '../../collect/collect-batch.ts'
import { openCookieCipher } from '../../collect/cookies/cipher.ts'
import type { CookieKeeping } from '../../collect/cookies/keeping.ts'
import { openCookiePool } from '../../collect/cookies/pool.ts'
import { openHostPace } from '../../collect/host-pace.ts'
import type { Importing, ReadLines } from '../../collect/import-notes.ts'
import { openAuthors } from '../../collect/platforms/author.ts'
import { readLines } from '../../collect/platforms/import/read-lines.ts'
import { openPlatforms } from '../../collect/platforms/open.ts'
import type { Platform } from '../../collect/platforms/platform.ts'
import type { Secret } from '../../core/secret.ts'
import type { CollectStores } from '../../stores/stores.ts'
import type { Config } from '../settings.ts'
import type { Shared } from './open-submit.ts'

export interface CollectOptions {
  readonly config: Config
  readonly stores: CollectStores
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly shared: Pick<Shared, 'sealer' | 'keys'>
  readonly platforms: OnPlatforms
}

/** The platforms that are on. */
export interface OnPlatforms {
  readonly on: readonly Platform[]
  readonly readLines: ReadLines
  get(name: string): Platform | undefined
}

/** Notes from platforms on Node, for whoever asks: the server or a command. */
export interface Collect {
  readonly keeping: CookieKeeping
  readonly platforms: OnPlatforms
  readonly collecting: Collecting
  readonly importing: Importing
  readonly collector: Collector
}

export function openCollect(options: CollectOptions): Collect {
  const { config, stores, clock, random, log, shared, platforms } = options
  const { cookies, executions, candidates, alerts } = stores
  const coolingMs = wholeMs(config.coolingDurationMinutes)
  const cipher = openCookieCipher({ ...shared, name: config.cookieCipher, clock, random })
  const pool = openCookiePool({ cookies, cipher, clock, coolingMs })
  const pace = openHostPace({ intervalMs: config.collectHostIntervalMs, clock, random })
  const collecting = {
    executions,
    candidates,
    random,
    clock,
    platforms,
    lockTimeoutMs: wholeMs(config.lockTimeoutMinutes),
    budgetMs: config.runBudgetMs,
    fetching: { pool, pace, clock },
  }
  const platformsWithCookies = platforms.on
    .filter(({ cookie }) => cookie === 'required')
    .map(({ name }) => name)
  const watch = { alerts, cookies, executions, candidates, clock, log, platformsWithCookies }
  return {
    platforms,
    keeping: { cookies, cipher, clock, coolingMs },
    collecting,
    importing: { ...collecting, readLines: platforms.readLines },
    collector: openCollector({ collecting, watch, log }),
  }
}

/** Minutes may have decimals; a stored time has none, and no wait is nothing. */
export const wholeMs = (minutesGiven: number) => Math.max(1, Math.round(minutes(minutesGiven)))

export interface PlatformsFrom {
  readonly config: Config
  readonly authorKey: Secret
  readonly http: HttpClient
  readonly clock: Clock
}

/** The platforms that the settings switch on. */
export function platformsFrom({ config, authorKey, http, clock }: PlatformsFrom): OnPlatforms {
  const { userAgent, xhsBaseUrl, weiboBaseUrl, collectPlatforms: on } = config
  const platforms = openPlatforms({
    on,
    authorKey,
    http,
    clock,
    userAgent,
    xhsBaseUrl,
    weiboBaseUrl,
  })
  const importing = { authors: openAuthors(authorKey), clock, platforms: platforms.on }
  return { ...platforms, readLines: (lines) => readLines(lines, importing) }
}

export function keyIdsOf({ keys }: Pick<Shared, 'keys'>): ReadonlySet<string> {
  return new Set(keys.map(({ keyId }) => keyId))
}
