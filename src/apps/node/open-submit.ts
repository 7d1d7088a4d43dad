import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { openRequestMeter, type RequestMeter } from '../../core/request-meter.ts'
import type { Secret } from '../../core/secret.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { type AlertDelivery, openAlertDelivery } from '../../alerts/deliver.ts'
import { sendTestAlert, type ToldReceiver } from '../../alerts/test-alert.ts'
import { webhookTarget } from '../../alerts/webhook-target.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { openRunner, type Runner } from '../../submit/runner.ts'
import { getSite, listSites, type SitesOptions } from '../../submit/sites.ts'
import { globalWebhook } from '../global-webhook.ts'
import type { Config } from '../settings.ts'
import { pacePerSite } from '../site-pace.ts'
import { nodeGunzip } from './gunzip.ts'
import { type KeyRing, openKeyRing } from './key-ring.ts'
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
  /** What the collect side shares with it: one client, one sealer, one way to tell people. */
  readonly shared: Shared
  /** What was asked of others, and how long it took. */
  readonly requests: RequestMeter
  /** Tells the server's own receiver and those of the sites that nothing is wrong. */
  testAlert(): Promise<readonly ToldReceiver[]>
}

export interface Shared extends KeyRing {
  readonly http: HttpClient
  readonly delivery: AlertDelivery
}

export function openSubmit(options: SubmitOptions): Submit {
  const { config, stores, masterKey, clock, random, log } = options
  const requests = openRequestMeter(clock)
  const http = requests.measured(openHttp(config, clock))
  const { sealer, keys } = openKeyRing(config, masterKey, random)
  const sites = { sites: stores.sites, sealer, defaults: config }
  const everybody = globalWebhook(config, log)
  const delivery = openAlertDelivery({
    alerts: stores.alerts,
    leases: stores.leases,
    holder: `delivery-${random.uuid()}`,
    http,
    clock,
    log,
    everybody,
    siteOf: siteOfAlert,
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
  const shared = { http, sealer, keys, delivery }
  return {
    sites,
    runs,
    runner: openRunner({ deps: runs, sites, delivery }),
    shared,
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
