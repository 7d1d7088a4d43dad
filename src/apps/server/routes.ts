import type { Clock } from '../../core/clock.ts'
import type { Log } from '../../core/log.ts'
import type { Random } from '../../core/random.ts'
import type { Result } from '../../core/result.ts'
import type { OpenedStores } from '../../stores/opened-stores.ts'
import { aboutRoutes } from '../about.ts'
import { healthRoutes, type NotReady } from '../../http/health.ts'
import type { RouteModule } from '../../http/http-env.ts'
import { openApiRoutes } from '../../http/openapi.ts'
import type { Config } from '../settings.ts'
import type { CollectSide } from './collect-side.ts'
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
  readonly version: string
  readonly runtime: string
  readonly startedAt: number
  readonly checkReady: () => Promise<Result<void, NotReady>>
}

/** Everything the server answers. */
export function serverRoutes(deps: RouteDeps): readonly RouteModule[] {
  const { submit, collect, version } = deps
  return [
    healthRoutes(deps),
    aboutRoutes(deps),
    ...submit.routes,
    ...collect.routes,
    openApiRoutes(version),
  ]
}
