import type { Clock } from '../../core/clock.ts'
import type { HttpClient } from '../../core/http.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import { rateLimit, type RateLimit } from '../../core/rate-limit.ts'
import type { Secret } from '../../core/secret.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { type AlertDelivery, openAlertDelivery } from '../../alerts/deliver.ts'
import { webhookTarget } from '../../alerts/webhook-target.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { openRunner, type Runner } from '../../submit/runner.ts'
import type { Site } from '../../submit/site.ts'
import { getSite, type SitesOptions } from '../../submit/sites.ts'
import type { Config } from '../settings.ts'
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
}

export interface Shared extends KeyRing {
  readonly http: HttpClient
  readonly delivery: AlertDelivery
}

export function openSubmit(options: SubmitOptions): Submit {
  const { config, stores, masterKey, clock, random, log } = options
  const http = openHttp(config, clock)
  const { sealer, keys } = openKeyRing(config, masterKey, random)
  const sites = { sites: stores.sites, sealer, defaults: config }
  const delivery = openAlertDelivery({
    alerts: stores.alerts,
    leases: stores.leases,
    holder: `delivery-${random.uuid()}`,
    http,
    clock,
    log,
    everybody: globalWebhook(config, log),
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
  return { sites, runs, runner: openRunner({ deps: runs, sites, delivery }), shared }
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
