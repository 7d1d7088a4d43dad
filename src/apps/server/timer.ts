import { Cron } from 'croner'
import type { Clock } from '../../core/clock.ts'
import { hours, seconds } from '../../core/duration.ts'
import type { Log } from '../../core/log.ts'

export interface TimedJob {
  readonly name: string
  /** In UTC. */
  readonly cron: string
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
  const cron = new Cron(job.cron, { timezone: 'UTC', paused: true })
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
    const next = cron.nextRun(new Date(clock.now()))
    if (next) waitFor(next.getTime())
  }

  // Neither the previous nor the next time is the one of this very second: looked at from the second after, it is.
  const [missed] = cron.previousRuns(1, new Date(clock.now() + seconds(1)))
  if (job.catchesUp && missed) underWay = run(missed.getTime()).then(waitForNext)
  else waitForNext()
  return async () => {
    isStopped = true
    cancel()
    await underWay
  }
}
