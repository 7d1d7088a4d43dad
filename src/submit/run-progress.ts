import type { Clock } from '../core/clock.ts'
import { seconds } from '../core/duration.ts'
import type { BingCounts, EngineCounts, FinishedRun, Run, RunStore } from '../stores/run-store.ts'

/** People look every few seconds; a write per request would cost as much as the request. */
const SHOW_EVERY_MS = seconds(1)

/** Enough to see what is wrong; a sitemap with a million bad URLs must not fill the record. */
const MOST_MESSAGES = 100

type Numbers = Partial<
  Pick<Run, 'total' | 'new' | 'cached' | 'submitted' | 'failed' | 'deleted' | 'invalid'>
>

/** The run's record while it grows: shown now and then, written whole at the end. */
export interface RunProgress {
  count(numbers: Numbers): void
  engine(counts: EngineCounts): void
  bing(counts: BingCounts): void
  /** Each message once. */
  error(message: string): void
  warning(message: string): void
  /** Makes the record visible. Without it the run is seen only when it is finished. */
  begin(): Promise<void>
  /** Writes the record if the last time is long enough ago. */
  show(): Promise<void>
  /** Writes it now: people wait for what is known, and a run that is killed is counted by what was shown last. */
  showNow(): Promise<void>
  current(): Run
  finish(status: FinishedRun['status']): Promise<FinishedRun>
}

export interface ProgressOptions {
  readonly id: string
  readonly siteId: string
  readonly trigger: string
  readonly startedAt: number
  readonly runs: RunStore
  readonly clock: Clock
  /** What an earlier part of the same run has shown. */
  readonly earlier?: Run | undefined
}

export function openRunProgress(options: ProgressOptions): RunProgress {
  const { runs, clock, earlier, ...identity } = options
  const engines = new Map(earlier?.engines.map((counts) => [counts.engine, counts]))
  const errors = new Set(earlier?.errors)
  const warnings = new Set(earlier?.warnings)
  const numbers = numbersOf(earlier)
  let bing = earlier?.bing
  let shownAt = clock.now()
  const current = (): Run => ({
    id: identity.id,
    siteId: identity.siteId,
    startedAt: identity.startedAt,
    finishedAt: undefined,
    status: 'running',
    trigger: identity.trigger,
    ...numbers,
    errors: [...errors],
    warnings: [...warnings],
    engines: [...engines.values()],
    ...(bing && { bing }),
  })
  const say = (messages: Set<string>, message: string) => {
    if (messages.size < MOST_MESSAGES) messages.add(message)
  }
  const showNow = async () => {
    shownAt = clock.now()
    await runs.progress(current())
  }
  return {
    count: (given) => void Object.assign(numbers, given),
    engine: (counts) => void engines.set(counts.engine, counts),
    bing: (counts) => {
      bing = counts
    },
    error: (message) => say(errors, message),
    warning: (message) => say(warnings, message),
    begin: () => runs.begin(current()),
    async show() {
      if (clock.now() - shownAt >= SHOW_EVERY_MS) await showNow()
    },
    showNow,
    current,
    async finish(status) {
      const run = { ...current(), status, finishedAt: clock.now() }
      await runs.finish(run)
      return run
    },
  }
}

function numbersOf(run: Run | undefined): Required<Numbers> {
  const { total = 0, submitted = 0, failed = 0, deleted = 0, invalid = 0 } = run ?? {}
  return {
    total,
    new: run?.new ?? 0,
    cached: run?.cached ?? 0,
    submitted,
    failed,
    deleted,
    invalid,
  }
}
