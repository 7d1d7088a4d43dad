import type { RouteModule } from '../../http/http-env.ts'
import { SCHEDULE } from '../../schedule.ts'
import { doctorRoutes } from '../../submit/http/doctor.ts'
import type { Machine } from '../../submit/doctor/run-doctor.ts'
import { siteFromEnvironment } from '../../submit/sites.ts'
import { openSubmit, type Submit, type SubmitOptions } from '../node/open-submit.ts'
import { submitRoutes } from '../node/submit-routes.ts'
import { startTimer } from './timer.ts'

/** Sitemaps to search engines, as this server does it. */
export interface SubmitSide {
  readonly routes: readonly RouteModule[]
  /** For whoever shows it. */
  readonly opened: Submit
  /** Takes over the site of the environment and starts the schedule. */
  start(): Promise<void>
  /** Lets runs save what they have and end. */
  stop(): Promise<void>
}

export interface SubmitSideOptions extends SubmitOptions {
  /** For the doctor. */
  readonly machine?: Machine
}

export function openSubmitSide(options: SubmitSideOptions): SubmitSide {
  const { config, stores, clock, log, machine = {} } = options
  const opened = openSubmit(options)
  const { sites, runs, runner } = opened
  let stopTimer = async () => {}
  return {
    opened,
    routes: [
      ...submitRoutes({ sites, runner, stores, clock }),
      doctorRoutes({ sites, machine, doctor: { ...runs, quota: stores.quota } }),
    ],
    async start() {
      const own = await siteFromEnvironment(sites, config)
      if (!own.ok)
        log.error('site.unusable', 'The site of the environment was not taken over.', {
          failure: own.failure,
        })
      const jobs = [
        {
          name: 'submit-all-sites',
          cron: config.cronSchedule,
          catchesUp: true,
          run: runner.runScheduled,
        },
        {
          name: 'check-alerts',
          cron: SCHEDULE['check-alerts'].cron,
          catchesUp: false,
          run: runner.checkAlerts,
        },
      ]
      stopTimer = startTimer(jobs, { clock, log }).stop
    },
    async stop() {
      const timerStops = stopTimer()
      await runner.stop()
      await timerStops
    },
  }
}
