import type { RouteModule } from '../../http/http-env.ts'
import { SCHEDULE } from '../../schedule.ts'
import { doctorRoutes } from '../../submit/http/doctor.ts'
import { runsRoutes } from '../../submit/http/runs.ts'
import { sitesRoutes } from '../../submit/http/sites.ts'
import { statusRoutes } from '../../submit/http/status.ts'
import { urlsRoutes } from '../../submit/http/urls.ts'
import type { Machine } from '../../submit/doctor/run-doctor.ts'
import { siteFromEnvironment } from '../../submit/sites.ts'
import { openSubmit, type SubmitOptions } from '../node/open-submit.ts'
import { startTimer } from './timer.ts'

/** Sitemaps to search engines, as this server does it. */
export interface SubmitSide {
  readonly routes: readonly RouteModule[]
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
  const { sites, runs, runner } = openSubmit(options)
  let stopTimer = async () => {}
  return {
    routes: [
      sitesRoutes({ ...sites, alerts: stores.alerts, leases: stores.leases, clock }),
      runsRoutes({ stores, runner }),
      statusRoutes({ stores, sites, clock }),
      urlsRoutes({ stores, runner }),
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
