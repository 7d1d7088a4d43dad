import type { FinishedRun } from '../stores/run-store.ts'
import type { ChannelReport } from './channels/channel.ts'
import type { SiteReading } from './read-site.ts'
import type { SiteRun } from './site-run.ts'

export interface Ending {
  /** Of every channel that was sent to; empty where nothing was, or nothing was to be. */
  readonly reports: readonly ChannelReport[]
  /** Undefined where it did not come that far. */
  readonly reading: SiteReading | undefined
  /** Whether a bug broke it off. */
  readonly broken: boolean
}

/** How a run ended. */
export function statusOf(
  { signal }: Pick<SiteRun, 'signal'>,
  { reports, reading, broken }: Ending,
): FinishedRun['status'] {
  if (signal.aborted) return 'interrupted'
  if (broken || reading === undefined || reading.failed) return 'failed'
  const tried = reports.filter(({ total }) => total > 0)
  const isThrough = ({ failed, left, stopped }: ChannelReport) =>
    failed === 0 && (left === 0 || stopped === 'quota')
  if (tried.every(isThrough)) return reading.complete ? 'succeeded' : 'partial'
  return tried.some(({ successful }) => successful > 0) || tried.every(({ failed }) => failed === 0)
    ? 'partial'
    : 'failed'
}
