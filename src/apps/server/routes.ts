import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import type { Result } from '../../core/result.ts'
import type { OpenedStores } from '../../stores/sqlite/open.ts'
import { aboutRoutes } from '../about.ts'
import { healthRoutes, type NotReady } from '../../http/health.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { metricsRoutes } from '../../dashboard/metrics/routes.ts'
import { openApiRoutes } from '../../http/openapi.ts'
import type { Config } from '../settings.ts'
import type { SubmitSide } from './submit-side.ts'

/** What a route may need; each module takes its part. */
export interface RouteDeps {
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly config: Config
  readonly stores: OpenedStores
  readonly submit: SubmitSide
  readonly version: string
  readonly runtime: string
  readonly startedAt: number
  readonly checkReady: () => Promise<Result<void, NotReady>>
}

/** Everything the server answers. */
export function serverRoutes(deps: RouteDeps): readonly RouteModule[] {
  const { submit, stores, version } = deps
  const { sites, requests } = submit.opened
  return [
    healthRoutes(deps),
    aboutRoutes(deps),
    ...submit.routes,
    metricsRoutes({
      ...deps,
      submit: { stores, defaults: sites.defaults },
      collect: stores,
      requests,
    }),
    openApiRoutes(version),
  ]
}
