import { getConnInfo } from '@hono/node-server/conninfo'
import { isPrivateAddress } from '../../core/address.ts'
import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import type { Result } from '../../core/result.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import { aboutRoutes } from '../about.ts'
import { healthRoutes, type NotReady } from '../../http/health.ts'
import type { Tokens } from '../../http/access.ts'
import type { HttpContext, RouteModule } from '../../http/http-env.ts'
import { dashboardRoutes } from '../../dashboard/dashboard.ts'
import type { CollectDeps } from '../../dashboard/deps.ts'
import { runsCsvRoutes } from '../../dashboard/runs-csv.ts'
import { metricsRoutes } from '../../dashboard/metrics/routes.ts'
import { openApiRoutes } from '../../http/openapi.ts'
import { dashboardAssets } from '../node/dashboard-assets.ts'
import type { Config } from '../settings.ts'
import type { CollectSide } from './collect-side.ts'
import { nextTimeOf } from './timer.ts'
import type { SubmitSide } from './submit-side.ts'

/** What a route may need; each module takes its part. */
export interface RouteDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly config: Config
  readonly stores: OpenedStores
  readonly submit: SubmitSide
  readonly collect: CollectSide
  readonly tokens: Tokens
  readonly version: string
  readonly runtime: string
  readonly startedAt: number
  readonly checkReady: () => Promise<Result<void, NotReady>>
}

/** Everything the server answers. */
export function serverRoutes(deps: RouteDeps): readonly RouteModule[] {
  const { submit, collect, stores, clock, random, version, tokens, config } = deps
  const { sites, runner, requests, testAlert } = submit.opened
  const { store: _store, workersPlan: _plan, ...ownSettings } = config
  return [
    healthRoutes(deps),
    aboutRoutes({ ...deps, config: ownSettings }),
    ...submit.routes,
    ...collect.routes,
    metricsRoutes({
      ...deps,
      submit: { stores, defaults: sites.defaults },
      collect: stores,
      requests,
    }),
    runsCsvRoutes(stores),
    ...dashboardRoutes({
      clock,
      random,
      version,
      tokens,
      stores,
      sites,
      runner,
      testAlert,
      examine: submit.examine,
      plan: submit.plan,
      nextRunAt: (now) => nextTimeOf(config.cronSchedule, now),
      collect: collectDeps(collect, stores),
      live: 'events',
      addressOf: visitorOf,
      assets: dashboardAssets(),
    }),
    openApiRoutes(version),
  ]
}

function collectDeps({ opened }: CollectSide, stores: OpenedStores): CollectDeps {
  const { keeping, collecting, platforms } = opened
  return {
    stores,
    keeping,
    lockTimeoutMs: collecting.lockTimeoutMs,
    platforms: platforms.on.map(({ name }) => name),
  }
}

/** Undefined behind a proxy of one's own: its address is everybody's, and one who guesses would lock all of them out. */
function visitorOf(c: HttpContext): string | undefined {
  const { address } = getConnInfo(c).remote
  return address === undefined || isPrivateAddress(address) ? undefined : address
}
