import { Cron } from 'croner'
import type { Clock } from '../../core/clock.ts'
import { hours, seconds } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'

/** A cron expression in UTC, or a time that passes between two runs. */
type Rhythm = { readonly cron: string } | { readonly everyMs: number }

export type TimedJob = Rhythm & {
  readonly name: string
  /** Whether a time that passed while the server was down is made up for at start, once. */
  readonly catchesUp: boolean
  /** `dueAt` is the time the schedule named, not the time it is. */
  run(dueAt: number): Promise<void>
}

export interface Timer {
  /** No job starts from now on; resolves when none is under way. */
  stop(): Promise<void>
}

/** When a job of this cron line is due next; undefined where never. */
export function nextTimeOf(cron: string, now: number): number | undefined {
  return new Cron(cron, { timezone: 'UTC', paused: true }).nextRun(new Date(now))?.getTime()
}

/** The clock may be set, and a machine may sleep: the next time is looked up anew at least this often. */
const LONGEST_WAIT_MS = hours(1)

export function startTimer(
  jobs: readonly TimedJob[],
  { clock, log }: { readonly clock: Clock; readonly log: Log },
): Timer {
  const stops = jobs.map((job) => keepTime(job, { clock, log }))
  return {
    async stop() {
      await Promise.all(stops.map((stop) => stop()))
    },
  }
}

function keepTime(job: TimedJob, { clock, log }: { clock: Clock; log: Log }): () => Promise<void> {
  const times = 'cron' in job ? cronTimes(job.cron) : intervalTimes(job.everyMs)
  let isStopped = false
  let cancel = () => {}
  let underWay = Promise.resolve()

  const run = async (dueAt: number) => {
    try {
      await job.run(dueAt)
    } catch (error) {
      log.error('schedule.failed', `${job.name} broke off because of a bug`, {
        job: job.name,
        error,
      })
    }
  }
  // A job is not started again while it is under way: the next time is looked up when it is over.
  const waitFor = (dueAt: number) => {
    if (isStopped) return
    const waitMs = Math.min(Math.max(0, dueAt - clock.now()), LONGEST_WAIT_MS)
    cancel = clock.after(waitMs, () => {
      if (clock.now() < dueAt) return waitFor(dueAt)
      underWay = run(dueAt).then(waitForNext)
    })
  }
  const waitForNext = () => {
    const next = times.after(clock.now())
    if (next !== undefined) waitFor(next)
  }

  const missed = job.catchesUp ? times.upTo(clock.now()) : undefined
  if (missed !== undefined) underWay = run(missed).then(waitForNext)
  else waitForNext()
  return async () => {
    isStopped = true
    cancel()
    await underWay
  }
}

interface Times {
  after(now: number): number | undefined
  /** The last one that has come, which may be now. */
  upTo(now: number): number | undefined
}

function cronTimes(expression: string): Times {
  const cron = new Cron(expression, { timezone: 'UTC', paused: true })
  return {
    after: (now) => cron.nextRun(new Date(now))?.getTime(),
    // Neither the previous nor the next time is the one of this very second: looked at from the second after, it is.
    upTo: (now) => cron.previousRuns(1, new Date(now + seconds(1)))[0]?.getTime(),
  }
}

/** Counted from the epoch: several servers do it at the same times, and one of them has nothing left to do. */
function intervalTimes(everyMs: number): Times {
  const upTo = (now: number) => Math.floor(now / everyMs) * everyMs
  return { after: (now) => upTo(now) + everyMs, upTo }
}
