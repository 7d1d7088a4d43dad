import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { masterKeysFrom, openSealer } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { openAlertDelivery } from '../../submit/alerts/deliver.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { openRunner, type Runner } from '../../submit/runner.ts'
import { getSite, type SitesOptions } from '../../submit/sites.ts'
import { globalWebhook } from '../global-webhook.ts'
import type { Config } from '../settings.ts'
import { pacePerSite } from '../site-pace.ts'
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
}

export function openSubmit(options: SubmitOptions): Submit {
  const { config, stores, masterKey, clock, random, log } = options
  const http = openHttp(config, clock)
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
  return { sites, runs, runner: openRunner({ deps: runs, sites, delivery }) }
}
