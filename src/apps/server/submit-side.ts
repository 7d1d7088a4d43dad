import type { Clock } from '../../core/clock.ts'
import { httpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { rateLimit, type RateLimit } from '../../core/rate-limit.ts'
import { masterKeysFrom, openSealer } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { SCHEDULE } from '../../schedule.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { openAlertDelivery } from '../../submit/alerts/deliver.ts'
import { webhookTarget } from '../../submit/alerts/webhook-target.ts'
import { runsRoutes } from '../../submit/http/runs.ts'
import { sitesRoutes } from '../../submit/http/sites.ts'
import { statusRoutes } from '../../submit/http/status.ts'
import { urlsRoutes } from '../../submit/http/urls.ts'
import { openRunner } from '../../submit/runner.ts'
import type { Site } from '../../submit/site.ts'
import { getSite, siteFromEnvironment } from '../../submit/sites.ts'
import type { Config } from '../settings.ts'
import { guardedFetch } from './guarded-fetch.ts'
import { nodeGunzip } from './gunzip.ts'
import { startTimer } from './timer.ts'

export interface SubmitSideOptions {
  readonly config: Config
  readonly stores: SubmitStores
  readonly masterKey: Secret
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Sitemaps to search engines, as this server does it. */
export interface SubmitSide {
  readonly routes: readonly RouteModule[]
  /** Takes over the site of the environment and starts the schedule. */
  start(): Promise<void>
  /** Lets runs save what they have and end. */
  stop(): Promise<void>
}

export function openSubmitSide(options: SubmitSideOptions): SubmitSide {
  const { config, stores, masterKey, clock, random, log } = options
  const { userAgent, sluiceAllowPrivate: allowPrivate } = config
  const http = httpClient({ fetch: guardedFetch({ allowPrivate }), clock, userAgent, allowPrivate })
  const oldKeys = config.cookieKeysOld ? masterKeysFrom(config.cookieKeysOld) : []
  const sealer = openSealer({ keyId: config.cookieKeyId, masterKey, oldKeys, random })
  const sites = { sites: stores.sites, sealer, defaults: config }
  const delivery = openAlertDelivery({
    alerts: stores.alerts,
    http,
    clock,
    log,
    everybody: globalWebhook(config, log),
    webhookOf: async (siteId) => {
      const site = await getSite(sites, siteId)
      return site.ok ? site.value.webhookUrl : undefined
    },
  })
  const deps = {
    stores,
    http,
    clock,
    random,
    log,
    gunzip: nodeGunzip,
    settings: config,
    paceOf: pacePerSite(clock),
  }
  const runner = openRunner({ deps, sites, delivery })
  let stopTimer = async () => {}
  return {
    routes: [
      sitesRoutes({ ...sites, alerts: stores.alerts, leases: stores.leases, clock }),
      runsRoutes({ stores, runner }),
      statusRoutes({ stores, sites, clock }),
      urlsRoutes({ stores, runner }),
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

function globalWebhook({ alertWebhookUrl, alertWebhookFormat }: Config, log: Log) {
  if (!alertWebhookUrl) return undefined
  const target = webhookTarget(alertWebhookUrl, alertWebhookFormat)
  if (target.ok) return target.value
  log.error('alert.no_receiver', `ALERT_WEBHOOK_URL cannot be used: ${target.failure}`)
  return undefined
}

/** A site keeps one pace over all that is sent for it; other settings begin a new one. */
function pacePerSite(clock: Clock): (site: Site) => RateLimit {
  const paces = new Map<string, { readonly settings: string; readonly pace: RateLimit }>()
  return (site) => {
    const { maxConcurrentRequests: maxInFlight, requestIntervalMs: intervalMs } = site
    const settings = `${maxInFlight}/${intervalMs}`
    const known = paces.get(site.id)
    if (known?.settings === settings) return known.pace
    const pace = rateLimit({ maxInFlight, intervalMs }, clock)
    paces.set(site.id, { settings, pace })
    return pace
  }
}
