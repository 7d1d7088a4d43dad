import { takeCensus } from '../../collect/census.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { SCHEDULE } from '../../schedule.ts'
import type { CollectStores, SubmitStores } from '../../stores/stores.ts'
import type { SitesOptions } from '../../submit/sites.ts'
import { type Collect, type CollectOptions, openCollect, wholeMs } from '../node/open-collect.ts'
import type { Shared } from '../node/open-submit.ts'
import { collectRoutes } from '../node/collect-routes.ts'
import { startTimer, type TimedJob } from './timer.ts'

/** Notes from platforms, as this server does it. */
export interface CollectSide {
  readonly routes: readonly RouteModule[]
  /** For whoever shows it. */
  readonly opened: Collect
  /** Starts the schedule. */
  start(): void
  /** Lets executions give back what they hold and end. */
  stop(): Promise<void>
}

export interface CollectSideOptions extends CollectOptions {
  readonly stores: CollectStores & Pick<SubmitStores, 'leases'>
  readonly shared: Shared
  readonly sites: SitesOptions
}

export function openCollectSide(options: CollectSideOptions): CollectSide {
  const { config, stores, clock, random, log, shared, sites } = options
  const collect = openCollect(options)
  const { collector } = collect
  const { candidates, census, leases } = stores
  const holder = `census-${random.uuid()}`
  let stopTimer = async () => {}
  return {
    opened: collect,
    routes: collectRoutes({ ...collect, stores, sites }),
    start() {
      const jobs: TimedJob[] = [
        {
          name: 'recover',
          everyMs: wholeMs(config.recoveryIntervalMinutes),
          catchesUp: true,
          run: async () => void (await collector.recover()),
        },
        {
          name: 'count-candidates',
          cron: SCHEDULE['count-candidates'].cron,
          catchesUp: true,
          run: (dueAt) => takeCensus({ candidates, census, leases, holder, clock, log }, dueAt),
        },
        {
          name: 'check-alerts',
          cron: SCHEDULE['check-alerts'].cron,
          catchesUp: false,
          async run() {
            await collector.checkAlerts()
            // The first may only join a round that began before there was anything new to tell.
            await shared.delivery.deliver()
            await shared.delivery.deliver()
          },
        },
      ]
      if (config.collectSchedule) {
        jobs.push({
          name: 'collect-notes',
          cron: config.collectSchedule,
          catchesUp: false,
          async run() {
            const started = await collector.collect()
            if (started.ok) return void (await started.value.done)
            const { holder } = started.failure
            log.info('collect.taken', `${holder} collects already.`, { holder })
          },
        })
      }
      stopTimer = startTimer(jobs, { clock, log }).stop
    },
    async stop() {
      const timerStops = stopTimer()
      await collector.stop()
      await timerStops
    },
  }
}
