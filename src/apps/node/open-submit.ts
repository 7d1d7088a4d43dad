import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { rateLimit, type RateLimit } from '../../core/rate-limit.ts'
import { openRequestMeter, type RequestMeter } from '../../core/request-meter.ts'
import { masterKeysFrom, openSealer } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { openAlertDelivery } from '../../submit/alerts/deliver.ts'
import { sendTestAlert, type ToldReceiver } from '../../submit/alerts/test-alert.ts'
import { webhookTarget } from '../../submit/alerts/webhook-target.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { openRunner, type Runner } from '../../submit/runner.ts'
import type { Site } from '../../submit/site.ts'
import { getSite, listSites, type SitesOptions } from '../../submit/sites.ts'
import type { Config } from '../settings.ts'
import { nodeGunzip } from './gunzip.ts'
import { openHttp } from './open-http.ts'

export interface SubmitOptions {
  readonly config: Config
  readonly stores: SubmitStores
  readonly masterKey: Secret
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** Sitemaps to search engines on Node, for whoever asks: the server or a command. */
export interface Submit {
  readonly sites: SitesOptions
  readonly runs: RunDeps
  readonly runner: Runner
  /** What was asked of others, and how long it took. */
  readonly requests: RequestMeter
  /** Tells the server's own receiver and those of the sites that nothing is wrong. */
  testAlert(): Promise<readonly ToldReceiver[]>
}

export function openSubmit(options: SubmitOptions): Submit {
  const { config, stores, masterKey, clock, random, log } = options
  const requests = openRequestMeter(clock)
  const http = requests.measured(openHttp(config, clock))
  const oldKeys = config.cookieKeysOld ? masterKeysFrom(config.cookieKeysOld) : []
  const sealer = openSealer({ keyId: config.cookieKeyId, masterKey, oldKeys, random })
  const sites = { sites: stores.sites, sealer, defaults: config }
  const everybody = globalWebhook(config, log)
  const delivery = openAlertDelivery({
    alerts: stores.alerts,
    http,
    clock,
    log,
    everybody,
    webhookOf: async (siteId) => {
      const site = await getSite(sites, siteId)
      return site.ok ? site.value.webhookUrl : undefined
    },
  })
  const runs = {
    stores,
    http,
    clock,
    random,
    log,
    gunzip: nodeGunzip,
    settings: config,
    paceOf: pacePerSite(clock),
  }
  return {
    sites,
    runs,
    runner: openRunner({ deps: runs, sites, delivery }),
    requests,
    async testAlert() {
      const own = (await listSites(sites)).flatMap((site) => {
        const target =
          site.ok && site.value.webhookUrl ? webhookTarget(site.value.webhookUrl) : site
        return target.ok && 'key' in target.value ? [target.value] : []
      })
      const targets = [...(everybody ? [everybody] : []), ...own]
      return sendTestAlert(targets, { http, now: clock.now() })
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
