import type { RouteModule } from '../../http/http-env.ts'
import type { Planner } from '../../dashboard/deps.ts'
import { ok, type Result } from '../../core/result.ts'
import { SCHEDULE } from '../../schedule.ts'
import { doctorRoutes } from '../../submit/http/doctor.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import type { DoctorReport } from '../../submit/doctor/finding.ts'
import { type Machine, runDoctor } from '../../submit/doctor/run-doctor.ts'
import { planRun } from '../../submit/plan-run.ts'
import { siteOf } from '../../submit/sealed-settings.ts'
import { getSite, siteFromEnvironment } from '../../submit/sites.ts'
import { openSubmit, type Submit, type SubmitOptions } from '../node/open-submit.ts'
import { submitRoutes } from '../node/submit-routes.ts'
import { startTimer } from './timer.ts'

/** Sitemaps to search engines, as this server does it. */
export interface SubmitSide {
  readonly routes: readonly RouteModule[]
  /** For whoever shows it. */
  readonly opened: Submit
  /** What the doctor finds about a site and this machine. */
  examine(siteId: string, signal: AbortSignal): Promise<DoctorReport>
  /** What a run would send now; undefined where there is no copy to try it in. */
  readonly plan: Planner | undefined
  /** Takes over the site of the environment and starts the schedule. */
  start(): Promise<void>
  /** Lets runs save what they have and end. */
  stop(): Promise<void>
}

export interface SubmitSideOptions extends SubmitOptions {
  /** For the doctor. */
  readonly machine?: Machine
  /** The stores as they are at this moment, to try something out in. */
  readonly copyStores?: () => Result<OpenedStores, unknown>
}

export function openSubmitSide(options: SubmitSideOptions): SubmitSide {
  const { config, stores, clock, random, log, machine = {}, copyStores } = options
  const opened = openSubmit(options)
  const { sites, runs, runner } = opened
  let stopTimer = async () => {}
  const plan: Planner = async (siteId, signal) => {
    const site = await getSite(sites, siteId)
    if (!site.ok) return site
    const copy = copyStores?.()
    if (!copy?.ok) throw new Error('The store could not be copied.')
    try {
      const ask = { id: `plan-${random.uuid()}`, site: site.value, channel: 'all', signal } as const
      return ok(await planRun(ask, { ...runs, stores: copy.value }))
    } finally {
      await copy.value.close()
    }
  }
  const doctor = { ...runs, quota: stores.quota }
  return {
    opened,
    async examine(siteId, signal) {
      const record = await stores.sites.get(siteId)
      const patients = record ? [await siteOf(record, sites.sealer, sites.defaults)] : []
      return runDoctor({ machine, sites: patients }, { ...doctor, signal })
    },
    plan: copyStores && plan,
    routes: [
      ...submitRoutes({ sites, runner, stores, clock }),
      doctorRoutes({ sites, machine, doctor }),
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
