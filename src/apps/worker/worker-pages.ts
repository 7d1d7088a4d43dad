import { Cron } from 'croner'
import { sendTestAlert } from '../../alerts/test-alert.ts'
import { type WebhookTarget, webhookTarget } from '../../alerts/webhook-target.ts'
import type { Assets } from '../../dashboard/assets.ts'
import { dashboardRoutes } from '../../dashboard/dashboard.ts'
import type { DashboardDeps } from '../../dashboard/deps.ts'
import type { LoginLimit } from '../../dashboard/login-limit.ts'
import { runsCsvRoutes } from '../../dashboard/runs-csv.ts'
import type { RouteModule } from '../../http/http-env.ts'
import type { SubmitStores } from '../../stores/stores.ts'
import { runDoctor } from '../../submit/doctor/run-doctor.ts'
import type { Runner } from '../../submit/runner.ts'
import { siteOf } from '../../submit/sealed-settings.ts'
import { listSites } from '../../submit/sites.ts'
import { globalWebhook } from '../global-webhook.ts'
import { VERSION } from '../version.ts'
import type { SubmitParts } from './open-site.ts'
import type { Surroundings } from './surroundings.ts'

export interface WorkerPagesOptions {
  readonly stores: SubmitStores
  readonly runner: Runner
  readonly parts: SubmitParts
  /** Without them, whoever stands before has them. */
  readonly assets?: Assets
  /** For pages that are made anew for each request. */
  readonly loginLimit?: LoginLimit
}

/** The same pages as the server's, over what is known here. A dry run needs a copy of the store: there is none. */
export function workerPages(
  { stores, runner, parts, assets = NO_ASSETS, loginLimit }: WorkerPagesOptions,
  around: Surroundings,
): readonly RouteModule[] {
  const { clock, random, tokens, config } = around
  return [
    runsCsvRoutes(stores),
    ...dashboardRoutes({
      clock,
      random,
      tokens,
      version: VERSION,
      stores,
      sites: parts.sites,
      runner,
      examine: examinerOf(stores, parts),
      testAlert: () => testAlert(parts, around),
      nextRunAt: (now) => nextTimeOf(config.cronSchedule, now),
      // What stays open is paid for as long as it is.
      live: 'polling',
      addressOf: (c) => c.req.header('cf-connecting-ip'),
      assets,
      ...(loginLimit && { loginLimit }),
    }),
  ]
}

export const NO_ASSETS: Assets = {
  'sluice.css': '',
  'sluice.js': '',
  'icon.svg': '',
  'uplot.js': '',
  'uplot.css': '',
}

function examinerOf(
  stores: SubmitStores,
  { sites, deps }: SubmitParts,
): NonNullable<DashboardDeps['examine']> {
  return async (siteId, signal) => {
    const record = await stores.sites.get(siteId)
    const patients = record ? [await siteOf(record, sites.sealer, sites.defaults)] : []
    const doctor = { ...deps, quota: stores.quota, signal }
    return runDoctor({ machine: {}, sites: patients }, doctor)
  }
}

async function testAlert({ sites, deps }: SubmitParts, { config, log, clock }: Surroundings) {
  const everybody = globalWebhook(config, log)
  const own = (await listSites(sites)).flatMap((site): readonly WebhookTarget[] => {
    if (!site.ok || !site.value.webhookUrl) return []
    const target = webhookTarget(site.value.webhookUrl)
    return target.ok ? [target.value] : []
  })
  const targets = [...(everybody ? [everybody] : []), ...own]
  return sendTestAlert(targets, { http: deps.http, now: clock.now() })
}

function nextTimeOf(cron: string, now: number): number | undefined {
  return new Cron(cron, { timezone: 'UTC', paused: true }).nextRun(new Date(now))?.getTime()
}
