import type { Result } from '../core/result.ts'
import type { Candidate } from '../stores/candidate-store.ts'
import type { Platforms } from './candidates.ts'
import type { CollectFailure } from './failures.ts'

/** What became of one who knocked. */
interface Knock {
  readonly platform: string
  /** Who was asked, where anybody was. */
  readonly host?: string | undefined
  readonly result: Result<unknown, CollectFailure>
}

/** Platforms that are off or without a cookie to use, and hosts that rest: to claim what is behind them would only be to give it back. */
export interface ClosedDoors {
  note(knock: Knock): void
  has(candidate: Candidate): boolean
  isAny(): boolean
}

/** What is the same for every note of the platform, until the run is over. */
const SHUT: ReadonlySet<CollectFailure['kind']> = new Set([
  'platform-off',
  'cookies-exhausted',
  'cookie-missing',
])

/** All are open to begin with. */
export function openClosedDoors(platforms: Platforms): ClosedDoors {
  const shut = new Set<string>()
  const resting = new Set<string>()
  return {
    note({ platform, host, result }) {
      if (result.ok) return
      const { kind } = result.failure
      if (SHUT.has(kind)) shut.add(platform)
      if (kind === 'host-resting' && host !== undefined) resting.add(host)
    },
    has({ platform, noteUrl }) {
      const host = platforms.get(platform)?.hostOf(noteUrl)
      return shut.has(platform) || (host !== undefined && resting.has(host))
    },
    isAny: () => shut.size + resting.size > 0,
  }
}
