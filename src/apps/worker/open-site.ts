import { httpClient, type HttpClient } from '../../core/http.ts'
import { masterKeysFrom, openSealer } from '../../core/seal.ts'
import type { Secret } from '../../core/secret.ts'
import { httpApp } from '../../http/http-app.ts'
import type { HttpApp, RouteModule } from '../../http/http-env.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { openAlertDelivery } from '../../alerts/deliver.ts'
import { siteOfAlert } from '../../submit/alerts/rules.ts'
import { doctorRoutes } from '../../submit/http/doctor.ts'
import { runsRoutes } from '../../submit/http/runs.ts'
import { sitesRoutes } from '../../submit/http/sites.ts'
import { statusRoutes } from '../../submit/http/status.ts'
import { urlsRoutes } from '../../submit/http/urls.ts'
import type { Runner } from '../../submit/runner.ts'
import type { RunDeps } from '../../submit/site-run.ts'
import { getSite, type SitesOptions } from '../../submit/sites.ts'
import { webGunzip } from '../../submit/sitemap/gunzip.ts'
import { globalWebhook } from '../global-webhook.ts'
import { pacePerSite } from '../site-pace.ts'
import { PLANS } from './plans.ts'
import { countRequests, type RequestCount } from './slice-budget.ts'
import type { Surroundings } from './surroundings.ts'

/** The submit side inside of an object, without who runs it. */
export interface SubmitParts {
  readonly sites: SitesOptions
  /** For a slice of a run, whose requests are counted. */
  depsFor(requests: RequestCount): RunDeps
  /** For the little that is not a run. Without a count for the invocation each call has its own. */
  readonly deps: RunDeps
  readonly delivery: ReturnType<typeof openAlertDelivery>
}

export function openSubmitParts(
  stores: SubmitStores,
  masterKey: Secret,
  { config, clock, random, log }: Surroundings,
  requests?: RequestCount,
): SubmitParts {
  const oldKeys = config.cookieKeysOld ? masterKeysFrom(config.cookieKeysOld) : []
  const keys = { keyId: config.cookieKeyId, masterKey, oldKeys }
  const sites = { sites: stores.sites, sealer: openSealer({ ...keys, random }), defaults: config }
  const paceOf = pacePerSite(clock)
  const { userAgent, sluiceAllowPrivate: allowPrivate } = config
  const clientFor = ({ fetch }: RequestCount) =>
    httpClient({ fetch, clock, userAgent, allowPrivate })
  const depsWith = (http: HttpClient): RunDeps => ({
    stores,
    http,
    clock,
    random,
    log,
    gunzip: webGunzip,
    settings: config,
    paceOf,
  })
  const plan = PLANS[config.workersPlan]
  const deps = depsWith(
    requests
      ? clientFor(requests)
      : { send: (request) => clientFor(countRequests(plan)).send(request) },
  )
  const delivery = openAlertDelivery({
    alerts: stores.alerts,
    leases: stores.leases,
    holder: `delivery-${random.uuid()}`,
    http: deps.http,
    clock,
    log,
    everybody: globalWebhook(config, log),
    siteOf: siteOfAlert,
    webhookOf: async (siteId) => {
      const site = await getSite(sites, siteId)
      return site.ok ? site.value.webhookUrl : undefined
    },
  })
  return { sites, depsFor: (requests) => depsWith(clientFor(requests)), deps, delivery }
}

export interface ObjectAppOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
  readonly parts: SubmitParts
  readonly more?: readonly RouteModule[]
  readonly requestLevel?: 'info' | 'debug'
}

/** The same routes as the server's, over what an object holds. */
export function objectApp(
  { stores, runner, parts, more = [], requestLevel = 'debug' }: ObjectAppOptions,
  around: Surroundings,
): HttpApp {
  const { clock } = around
  const { sites, deps } = parts
  return httpApp({
    ...around,
    requestLevel,
    modules: [
      sitesRoutes({ ...sites, alerts: stores.alerts, leases: stores.leases, clock }),
      runsRoutes({ stores, runner }),
      statusRoutes({ stores, sites, clock }),
      urlsRoutes({ stores, runner }),
      doctorRoutes({ sites, machine: {}, doctor: { ...deps, quota: stores.quota } }),
      ...more,
    ],
  })
}
